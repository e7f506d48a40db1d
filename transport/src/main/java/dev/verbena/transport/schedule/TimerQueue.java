package dev.verbena.transport.schedule;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The earliest deadline of every queue pair that has one, in a heap: the next one is O(1).
///
/// A deadline that moves into the future is not moved in the heap; when its old time comes, the
/// queue pair is put in again. So acknowledgements, which push a deadline out with every packet,
/// cost nothing here, and [#next] may be early but never late. Equal times go by the queue pairs'
/// index, never by the order of arming.
public final class TimerQueue {
    public static final long NEVER = Long.MAX_VALUE;

    private static final int FIRST_CAPACITY = 2;
    private static final int ARITY_SHIFT = 2;

    private @Nullable Timed[] heap = new Timed[FIRST_CAPACITY];
    private int size;

    /// When to look again; [#NEVER] when nothing is armed.
    public long next() {
        Timed first = heap[0];
        return size == 0 || first == null ? NEVER : first.timerAtNs;
    }

    /// Makes sure that the queue pair is looked at no later than this.
    public void arm(Timed pair, long atNs) {
        if (pair.timerPlace < 0) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
            }
            pair.timerAtNs = atNs;
            rise(pair, size++);
        } else if (atNs < pair.timerAtNs) {
            pair.timerAtNs = atNs;
            rise(pair, pair.timerPlace);
        }
    }

    /// Takes out the queue pair whose time has come first, or null when none has.
    public @Nullable Timed expire(long nowNs) {
        Timed first = heap[0];
        if (size == 0 || first == null || first.timerAtNs > nowNs) {
            return null;
        }
        remove(first);
        return first;
    }

    public void remove(Timed pair) {
        int place = pair.timerPlace;
        if (place < 0) {
            return;
        }
        pair.timerPlace = -1;
        size--;
        Timed last = heap[size];
        heap[size] = null;
        if (place < size && last != null) {
            sink(last, place);
            if (last.timerPlace == place) {
                rise(last, place);
            }
        }
    }

    private void rise(Timed pair, int from) {
        int place = from;
        while (place > 0) {
            int parent = (place - 1) >> ARITY_SHIFT;
            Timed above = heap[parent];
            if (above == null || !isBefore(pair, above)) {
                break;
            }
            put(above, place);
            place = parent;
        }
        put(pair, place);
    }

    private void sink(Timed pair, int from) {
        int place = from;
        while (true) {
            int least = leastChild(place);
            Timed below = least < size ? heap[least] : null;
            if (below == null || !isBefore(below, pair)) {
                break;
            }
            put(below, place);
            place = least;
        }
        put(pair, place);
    }

    private int leastChild(int place) {
        int first = (place << ARITY_SHIFT) + 1;
        int least = first;
        int end = Math.min(first + (1 << ARITY_SHIFT), size);
        for (int child = first + 1; child < end; child++) {
            Timed one = heap[child];
            Timed other = heap[least];
            if (one != null && other != null && isBefore(one, other)) {
                least = child;
            }
        }
        return least;
    }

    private static boolean isBefore(Timed one, Timed other) {
        return one.timerAtNs < other.timerAtNs
                || (one.timerAtNs == other.timerAtNs && one.index < other.index);
    }

    private void put(Timed pair, int place) {
        heap[place] = pair;
        pair.timerPlace = place;
    }
}
