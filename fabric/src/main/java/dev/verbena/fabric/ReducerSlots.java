package dev.verbena.fabric;

import java.util.Arrays;

/// What one switch holds for one group: a ring of places for packets, each with the parts of its
/// children, and afterwards with what became of them.
///
/// Packets of the network wait here themselves, by their number in the pool.
final class ReducerSlots {
    private static final int NONE = PacketPool.NONE;

    final ReductionTree.Place place;
    final int count;
    final int children;

    /// By port, the number of the child there, or -1.
    private final int[] childOf;

    /// By place, the packet of the group that it is for, or -1.
    private final long[] sequence;

    /// By place and child, its part.
    private final int[] parts;

    private final int[] arrived;

    /// When the last bit of all parts that are here has arrived.
    private final long[] therePs;

    /// By place, the combination that goes up until the result is here, then the result.
    private final int[] kept;

    private final boolean[] isResult;

    /// When the combination was, or will have been, sent.
    private final long[] sentPs;

    ReducerSlots(ReductionTree.Place place, int count, int ports) {
        this.place = place;
        this.count = count;
        children = place.children().length;
        childOf = new int[ports];
        Arrays.fill(childOf, -1);
        for (int i = 0; i < children; i++) {
            childOf[place.children()[i]] = i;
        }
        sequence = new long[count];
        Arrays.fill(sequence, -1);
        parts = new int[count * children];
        arrived = new int[count];
        therePs = new long[count];
        kept = new int[count];
        isResult = new boolean[count];
        sentPs = new long[count];
    }

    /// The place of a packet of the group; -1 when a later one has it.
    int of(long number, PacketPool pool) {
        int at = (int) (number % count);
        if (sequence[at] < number) {
            clear(at, pool);
            sequence[at] = number;
        }
        return sequence[at] == number ? at : -1;
    }

    /// Whether the part of the child at a port is missing. A place that a later packet has is one
    /// that all had sent.
    boolean lacks(long number, int port) {
        int at = (int) (number % count);
        boolean isHere = sequence[at] == number && (isCombined(at) || has(at, childOf[port]));
        return sequence[at] <= number && !isHere;
    }

    /// Whether parts are here, and others are not.
    boolean waits(long number) {
        int at = (int) (number % count);
        return sequence[at] == number && !isCombined(at);
    }

    private void clear(int at, PacketPool pool) {
        for (int i = at * children; i < (at + 1) * children; i++) {
            if (parts[i] != NONE) {
                pool.give(parts[i]);
                parts[i] = NONE;
            }
        }
        if (kept[at] != NONE) {
            pool.give(kept[at]);
        }
        kept[at] = NONE;
        arrived[at] = 0;
        therePs[at] = 0;
        isResult[at] = false;
    }

    /// Gives all packets back.
    void clear(PacketPool pool) {
        for (int at = 0; at < count; at++) {
            clear(at, pool);
            sequence[at] = -1;
        }
    }

    /// The number of the child at a port, or -1.
    int child(int port) {
        return childOf[port];
    }

    boolean has(int at, int child) {
        return parts[at * children + child] != NONE;
    }

    /// Takes a child's part; returns whether all are here.
    boolean put(int at, int child, int handle, long wholePs) {
        parts[at * children + child] = handle;
        therePs[at] = Math.max(therePs[at], wholePs);
        return ++arrived[at] == children;
    }

    /// Removes a child's part.
    int take(int at, int child) {
        int handle = parts[at * children + child];
        parts[at * children + child] = NONE;
        return handle;
    }

    long therePs(int at) {
        return therePs[at];
    }

    /// Whether the parts are combined.
    boolean isCombined(int at) {
        return kept[at] != NONE;
    }

    boolean isResult(int at) {
        return isResult[at];
    }

    int kept(int at) {
        return kept[at];
    }

    /// Keeps a combination, or a result in its place.
    void keep(int at, int handle, boolean isItResult) {
        kept[at] = handle;
        isResult[at] = isItResult;
    }

    long sentPs(int at) {
        return sentPs[at];
    }

    void sent(int at, long timePs) {
        sentPs[at] = timePs;
    }
}
