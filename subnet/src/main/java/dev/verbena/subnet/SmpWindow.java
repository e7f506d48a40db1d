package dev.verbena.subnet;

import java.util.Arrays;

/// The requests in flight: a fixed number of places, each with a transaction ID, a deadline and the
/// count of retries.
///
/// The low byte of a transaction ID is the place, the others count; a place is used again with
/// another ID, so that a late answer to an earlier request is not taken for the new one. Only the
/// low 32 bits are used: the upper ones belong to carriers.
final class SmpWindow {
    static final int SIZE_MAX = 256;
    private static final int PLACE_BITS = 8;
    private static final int FREE = 0;

    private final long[] tasks;
    private final int[] transactions;
    private final long[] deadlines;
    private final byte[] retries;
    private final int[] free;
    private int freeCount;
    private int counter;

    SmpWindow(int size) {
        tasks = new long[size];
        transactions = new int[size];
        deadlines = new long[size];
        retries = new byte[size];
        free = new int[size];
        clear();
    }

    /// Forgets all requests; answers to them will be foreign.
    void clear() {
        Arrays.fill(transactions, FREE);
        freeCount = free.length;
        for (int i = 0; i < free.length; i++) {
            free[i] = free.length - 1 - i;
        }
    }

    boolean isFull() {
        return freeCount == 0;
    }

    boolean isEmpty() {
        return freeCount == free.length;
    }

    int size() {
        return free.length;
    }

    /// Takes a place for a request.
    int begin(long task, long deadlineNs) {
        int place = free[--freeCount];
        tasks[place] = task;
        deadlines[place] = deadlineNs;
        retries[place] = 0;
        renumber(place);
        return place;
    }

    private void renumber(int place) {
        counter = counter + 1 & 0xFF_FFFF;
        if (counter == 0) {
            counter = 1;
        }
        transactions[place] = counter << PLACE_BITS | place;
    }

    /// The request is sent once more; the ID stays, so that an answer to either one is taken.
    void again(int place, long deadlineNs) {
        retries[place]++;
        deadlines[place] = deadlineNs;
    }

    /// The request waits until it is sent again, and has no deadline meanwhile.
    void hold(int place) {
        deadlines[place] = Long.MAX_VALUE;
    }

    boolean isInFlight(int place) {
        return transactions[place] != FREE && deadlines[place] != Long.MAX_VALUE;
    }

    boolean isHeld(int place) {
        return transactions[place] != FREE && deadlines[place] == Long.MAX_VALUE;
    }

    /// The place of a transaction ID, or -1.
    int find(long transactionId) {
        int low = (int) transactionId;
        int place = low & SIZE_MAX - 1;
        return place < tasks.length && low != FREE && transactions[place] == low ? place : -1;
    }

    void end(int place) {
        assert transactions[place] != FREE : "a request in flight";
        transactions[place] = FREE;
        free[freeCount++] = place;
    }

    long task(int place) {
        return tasks[place];
    }

    int transaction(int place) {
        return transactions[place];
    }

    int retries(int place) {
        return retries[place];
    }

    boolean isDue(int place, long nowNs) {
        return transactions[place] != FREE && deadlines[place] <= nowNs;
    }

    long nextDeadlineNs() {
        long next = Long.MAX_VALUE;
        for (int place = 0; place < tasks.length; place++) {
            if (transactions[place] != FREE) {
                next = Math.min(next, deadlines[place]);
            }
        }
        return next;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int place = 0; place < tasks.length; place++) {
            if (transactions[place] != FREE) {
                text.append(SmpKind.of(tasks[place]))
                        .append(' ')
                        .append(SmpKind.place(tasks[place]))
                        .append(" retry ")
                        .append(retries[place])
                        .append(' ');
            }
        }
        return text.toString();
    }
}
