package dev.verbena.subnet;

import java.util.Arrays;

/// A queue of numbers that grows with what is in it.
final class LongQueue {
    private long[] items = new long[64];
    private int first;
    private int size;

    void add(long item) {
        if (size == items.length) {
            long[] larger = Arrays.copyOf(items, 2 * size);
            for (int i = 0; i < size; i++) {
                larger[i] = items[(first + i) & (size - 1)];
            }
            items = larger;
            first = 0;
        }
        items[(first + size++) & (items.length - 1)] = item;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    long take() {
        assert size > 0 : "an item";
        long item = items[first];
        first = (first + 1) & (items.length - 1);
        size--;
        return item;
    }

    void clear() {
        size = 0;
    }
}
