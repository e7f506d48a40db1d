package dev.verbena.job.replay;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which message a receive of one rank takes, as in MPI: by source and tag, each of which a receive
/// may leave open. Of several receives that fit a message the first posted takes it; of several
/// messages that fit a receive it takes the first to arrive.
final class Matching {
    /// A message that has arrived.
    record Arrival(int source, int tag, long bytes, long number) {}

    private record Posted(int node, long number) {}

    private final Map<Long, ArrayDeque<Posted>> posted = new HashMap<>();
    private final Map<Long, ArrayDeque<Arrival>> unexpected = new HashMap<>();
    private long numbers;
    private int waiting;
    private int kept;

    private static long key(int source, int tag) {
        return ((long) source << 32) | (tag & 0xFFFF_FFFFL);
    }

    /// A receive is posted; returns the message that it takes, or null when it has to wait.
    @Nullable Arrival post(int node, int source, int tag) {
        ArrayDeque<Arrival> queue = oldest(source, tag);
        if (queue != null) {
            kept--;
            return queue.removeFirst();
        }
        posted.computeIfAbsent(key(source, tag), _ -> new ArrayDeque<>(2))
                .addLast(new Posted(node, numbers++));
        waiting++;
        return null;
    }

    /// The queue with the message that has waited for the longest time, of those that fit.
    private @Nullable ArrayDeque<Arrival> oldest(int source, int tag) {
        if (source != Schedule.ANY && tag != Schedule.ANY) {
            ArrayDeque<Arrival> queue = unexpected.get(key(source, tag));
            return queue == null || queue.isEmpty() ? null : queue;
        }
        ArrayDeque<Arrival> found = null;
        for (ArrayDeque<Arrival> queue : unexpected.values()) {
            Arrival first = queue.peekFirst();
            if (first != null
                    && (source == Schedule.ANY || source == first.source)
                    && (tag == Schedule.ANY || tag == first.tag)
                    && (found == null || first.number < found.getFirst().number)) {
                found = queue;
            }
        }
        return found;
    }

    /// A message has arrived; returns the receive that takes it, or -1 when it has to wait.
    int arrive(int source, int tag, long bytes) {
        ArrayDeque<Posted> found = null;
        for (int i = 0; i < 4; i++) {
            int from = (i & 1) == 0 ? source : Schedule.ANY;
            int as = (i & 2) == 0 ? tag : Schedule.ANY;
            ArrayDeque<Posted> queue = posted.get(key(from, as));
            if (queue != null
                    && !queue.isEmpty()
                    && (found == null || queue.getFirst().number < found.getFirst().number)) {
                found = queue;
            }
        }
        if (found != null) {
            waiting--;
            return found.removeFirst().node;
        }
        unexpected
                .computeIfAbsent(key(source, tag), _ -> new ArrayDeque<>(2))
                .addLast(new Arrival(source, tag, bytes, numbers++));
        kept++;
        return -1;
    }

    /// The receive that has waited for the longest time, or -1.
    int firstPosted() {
        Posted first = null;
        for (ArrayDeque<Posted> queue : posted.values()) {
            Posted head = queue.peekFirst();
            if (head != null && (first == null || head.number < first.number)) {
                first = head;
            }
        }
        return first == null ? -1 : first.node;
    }

    /// Receives that wait for messages.
    int waiting() {
        return waiting;
    }

    /// Messages that no receive has taken.
    int kept() {
        return kept;
    }
}
