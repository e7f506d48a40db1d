package dev.verbena.transport.common;

import java.util.Arrays;

/// A map from 32-bit numbers to small indexes, without objects: open addressing, grown when half
/// full.
///
/// Keys are random numbers of our own making, so that no peer can choose where they collide.
public final class IntIndex {
    public static final int NONE = -1;

    private static final int FIRST_CAPACITY = 8;
    private static final int SPREAD = 0x9E3779B9;

    private int[] keys = new int[FIRST_CAPACITY];
    private int[] values = emptyValues(FIRST_CAPACITY);
    private int size;

    public int get(int key) {
        int mask = keys.length - 1;
        int at = home(key);
        while (values[at] != NONE) {
            if (keys[at] == key) {
                return values[at];
            }
            at = (at + 1) & mask;
        }
        return NONE;
    }

    public void put(int key, int value) {
        assert value >= 0 && get(key) == NONE : "one value for a key";
        if (size * 2 >= keys.length) {
            grow();
        }
        insert(key, value);
        size++;
    }

    public void remove(int key) {
        int mask = keys.length - 1;
        int at = home(key);
        while (values[at] != NONE && keys[at] != key) {
            at = (at + 1) & mask;
        }
        if (values[at] == NONE) {
            return;
        }
        size--;
        // Close the gap: an entry behind it moves up when its home lies at or before the gap.
        int gap = at;
        int next = (gap + 1) & mask;
        while (values[next] != NONE) {
            int distance = (next - home(keys[next])) & mask;
            if (distance >= ((next - gap) & mask)) {
                keys[gap] = keys[next];
                values[gap] = values[next];
                gap = next;
            }
            next = (next + 1) & mask;
        }
        values[gap] = NONE;
    }

    public int size() {
        return size;
    }

    private int home(int key) {
        return (key * SPREAD) >>> (Integer.numberOfLeadingZeros(keys.length) + 1);
    }

    private void insert(int key, int value) {
        int mask = keys.length - 1;
        int at = home(key);
        while (values[at] != NONE) {
            at = (at + 1) & mask;
        }
        keys[at] = key;
        values[at] = value;
    }

    private void grow() {
        int[] oldKeys = keys;
        int[] oldValues = values;
        keys = new int[oldKeys.length * 2];
        values = emptyValues(keys.length);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldValues[i] != NONE) {
                insert(oldKeys[i], oldValues[i]);
            }
        }
    }

    private static int[] emptyValues(int length) {
        int[] values = new int[length];
        Arrays.fill(values, NONE);
        return values;
    }
}
