package dev.verbena.fabric;

import java.util.Arrays;

/// Packets in the order in which they came, each with a time; empty ones take no memory.
final class TimedRing {
    private static final int FIRST_CAPACITY = 8;
    private static final long[] NO_WORDS = {};
    private static final int[] NO_HANDLES = {};

    /// Time and tag of each.
    private long[] words = NO_WORDS;

    private int[] handles = NO_HANDLES;
    private int head;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /// Of the first.
    long timePs() {
        return words[2 * head];
    }

    long tag() {
        return words[2 * head + 1];
    }

    int handle() {
        return handles[head];
    }

    void add(int handle, long tag, long timePs) {
        if (size == handles.length) {
            grow();
        }
        int at = (head + size) & (handles.length - 1);
        words[2 * at] = timePs;
        words[2 * at + 1] = tag;
        handles[at] = handle;
        size++;
    }

    void drop() {
        head = (head + 1) & (handles.length - 1);
        size--;
    }

    private void grow() {
        int before = handles.length;
        int capacity = Math.max(FIRST_CAPACITY, before * 2);
        long[] moreWords = new long[2 * capacity];
        int[] moreHandles = new int[capacity];
        int first = before - head;
        System.arraycopy(words, 2 * head, moreWords, 0, 2 * first);
        System.arraycopy(words, 0, moreWords, 2 * first, 2 * head);
        System.arraycopy(handles, head, moreHandles, 0, first);
        System.arraycopy(handles, 0, moreHandles, first, head);
        words = moreWords;
        handles = moreHandles;
        head = 0;
    }

    @Override
    public String toString() {
        return size + " of " + Arrays.toString(handles);
    }
}
