package dev.verbena.job.flow;

import java.util.Arrays;

/// What happens when: a heap of times, each with a word that says what.
final class Timeline {
    /// In place of a time: never.
    static final long NEVER = Long.MAX_VALUE;

    private static final int ARITY = 4;

    private long[] times = new long[1024];
    private long[] words = new long[1024];
    private int size;

    long nextPs() {
        return size == 0 ? NEVER : times[0];
    }

    void add(long timePs, long word) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            words = Arrays.copyOf(words, 2 * size);
        }
        int at = size++;
        while (at > 0) {
            int above = (at - 1) / ARITY;
            if (times[above] <= timePs) {
                break;
            }
            times[at] = times[above];
            words[at] = words[above];
            at = above;
        }
        times[at] = timePs;
        words[at] = word;
    }

    /// Takes the word of [#nextPs].
    long take() {
        long taken = words[0];
        long timePs = times[--size];
        long word = words[size];
        int at = 0;
        int below = 1;
        while (below < size) {
            int least = below;
            int end = Math.min(below + ARITY, size);
            for (int i = below + 1; i < end; i++) {
                if (times[i] < times[least]) {
                    least = i;
                }
            }
            if (times[least] >= timePs) {
                break;
            }
            times[at] = times[least];
            words[at] = words[least];
            at = least;
            below = at * ARITY + 1;
        }
        times[at] = timePs;
        words[at] = word;
        return taken;
    }
}
