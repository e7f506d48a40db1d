package dev.verbena.transport.common;

import java.util.Arrays;

/// Numbers from 0 on for the entries of a table, up to a limit; those given back are used again.
public final class Places {
    public static final int NONE = -1;

    private final int limit;
    private int[] free = new int[1];
    private int freeCount;
    private int top;

    public Places(int limit) {
        this.limit = limit;
    }

    /// A number that is not in use, or [#NONE] when all are.
    public int take() {
        if (freeCount > 0) {
            return free[--freeCount];
        }
        return top == limit ? NONE : top++;
    }

    public void give(int place) {
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount++] = place;
    }

    /// One more than the largest number ever used.
    public int top() {
        return top;
    }

    public int used() {
        return top - freeCount;
    }

    /// The length of an array that holds a place, given what it has: doubled until it fits.
    public static int grown(int length, int place) {
        return Math.max(length * 2, place + 1);
    }
}
