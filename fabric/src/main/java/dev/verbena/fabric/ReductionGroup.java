package dev.verbena.fabric;

import dev.verbena.verbs.spi.NetworkReduction.Arithmetic;
import dev.verbena.verbs.spi.NetworkReduction.Costs;
import dev.verbena.verbs.spi.NetworkReduction.Failure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Hosts whose vectors switches combine, and what it holds of the switches.
///
/// Packets of a group are counted from 0 through all operations. A host has at most a window of
/// them under way, and a switch has places for two windows: when the first packet of a third one
/// arrives, its sender has the result of the one a window before, to which every host has sent its
/// part, and so every host has the results of the window before that one. The place is free.
final class ReductionGroup {
    private static final int ARITHMETICS_MAX = 1 << 10;

    final int number;
    final int[] hosts;
    final ReductionTree tree;
    final int window;
    final Costs costs;

    /// After how long without a result a packet is sent again.
    final long timeoutPs;

    /// Of the packets that switches make; captures show the first host as their source.
    final Route route;

    private final @Nullable ReductionMember[] members;
    private final @Nullable ReducerSlots[] slots;
    private final List<Arithmetic> arithmetics = new ArrayList<>();
    private int present;
    private @Nullable Failure failure;

    /// The first packet that no member which has left would send, and that member.
    private long end = Long.MAX_VALUE;

    private int gone;

    ReductionGroup(
            int number,
            int[] hosts,
            ReductionTree tree,
            int window,
            Costs costs,
            long timeoutPs,
            Nic first) {
        this.number = number;
        this.hosts = hosts;
        this.tree = tree;
        this.window = window;
        this.costs = costs;
        this.timeoutPs = timeoutPs;
        members = new ReductionMember[hosts.length];
        slots = new ReducerSlots[first.fabric().topology().switches()];
        route = Reductions.route(first, this);
    }

    void reserve(int at, ReducerSlots made) {
        slots[at] = made;
    }

    void release(int at) {
        slots[at] = null;
    }

    /// What a switch holds for it, or null.
    @Nullable ReducerSlots slots(int at) {
        return slots[at];
    }

    void enter(ReductionMember member) {
        members[member.index()] = member;
        present++;
    }

    boolean has(int index) {
        return members[index] != null;
    }

    /// Returns whether no member is left.
    boolean leave(ReductionMember member) {
        members[member.index()] = null;
        present--;
        if (member.answered() < end) {
            end = member.answered();
            gone = member.index();
        }
        for (ReductionMember other : members) {
            if (other != null) {
                requireAll(other.end());
            }
        }
        return present == 0;
    }

    /// Fails where an operation needs packets of a member that has left.
    void requireAll(long behind) {
        if (behind > end) {
            fail(gone, hostOf(gone) + " has left, and an operation waits for it");
        }
    }

    String hostOf(int member) {
        return route.from.fabric().topology().hostName(hosts[member]);
    }

    /// The number of an arithmetic in packets; -1 when the group has too many.
    int code(Arithmetic arithmetic) {
        int known = arithmetics.indexOf(arithmetic);
        if (known >= 0) {
            return known;
        }
        if (arithmetics.size() == ARITHMETICS_MAX) {
            return -1;
        }
        arithmetics.add(arithmetic);
        return arithmetics.size() - 1;
    }

    Arithmetic arithmetic(int code) {
        return arithmetics.get(code);
    }

    @Nullable Failure failure() {
        return failure;
    }

    /// The first member whose part of a packet has not come through, or -1.
    int missing(long sequence) {
        for (int i = 0; i < hosts.length; i++) {
            if (tree.lacks(hosts[i], sequence, this)) {
                return i;
            }
        }
        return -1;
    }

    /// The first member below a port of a switch, or -1.
    int below(int at, int port) {
        for (int i = 0; i < hosts.length; i++) {
            if (tree.isBelow(hosts[i], at, port)) {
                return i;
            }
        }
        return -1;
    }

    /// Ends all operations of all members.
    ///
    /// @param culprit the member that has caused it, or -1
    void fail(int culprit, String why) {
        if (failure != null) {
            return;
        }
        failure = new Failure(culprit, why);
        for (ReductionMember member : members) {
            if (member != null) {
                member.failed();
            }
        }
    }
}
