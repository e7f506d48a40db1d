package dev.verbena.easy;

/// A queue of small numbers with a fixed capacity, without objects.
final class IntRing {
    private final int[] values;
    private int head;
    private int size;

    IntRing(int capacity) {
        values = new int[capacity];
    }

    /// The numbers from 0 to `count` - 1.
    static IntRing full(int count) {
        IntRing ring = new IntRing(count);
        for (int i = 0; i < count; i++) {
            ring.add(i);
        }
        return ring;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(int value) {
        if (size == values.length) {
            throw new AssertionError("a ring of " + size + " is full");
        }
        values[(head + size) % values.length] = value;
        size++;
    }

    int peek() {
        if (size == 0) {
            throw new AssertionError("the ring is empty");
        }
        return values[head];
    }

    int take() {
        int value = peek();
        head = (head + 1) % values.length;
        size--;
        return value;
    }
}
