package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/// What the wire of one direction does to packets; nothing but carry them unless told.
final class WireScript {
    /// What a rule of a test decides about one packet.
    enum Fate {
        PASS,
        DROP,
        DUPLICATE,
        /// Keeps it until the test lets it go.
        HOLD
    }

    /// A test's own decision, asked before chance is.
    interface Rule {
        /// Decides; `index` counts the packets of this direction from 0.
        Fate of(Flight packet, long index);
    }

    /// Nothing passes from one time to another.
    record Partition(long fromNs, long toNs) {
        boolean covers(long nowNs) {
            return nowNs >= fromNs && nowNs < toNs;
        }
    }

    /// Nothing of one queue pair passes from a time on.
    private record Kill(int destQp, long fromNs) {}

    Choices choices = Choices.from(0);
    long latencyNs = 1_000;
    long jitterNs;
    double drop;
    double duplicate;
    double reorder;
    long reorderNs = 20_000;
    double corrupt;

    /// Whether packets to a multicast group reach this port although no device there has joined.
    boolean floods;

    /// After this many resends without progress the wire lets a queue pair alone, so that a healthy
    /// run may lose much and yet never earns a failure. 0 never does.
    int mercyAfter;

    Rule rule = (_, _) -> Fate.PASS;

    /// How much longer than the others a packet takes.
    ToLongFunction<Flight> delay = _ -> 0;

    /// Whether a packet overtakes one before it that takes longer.
    boolean overtakes;

    private final List<Partition> partitions = new ArrayList<>();
    private final List<Kill> kills = new ArrayList<>();

    WireScript partition(long fromNs, long toNs) {
        partitions.add(new Partition(fromNs, toNs));
        return this;
    }

    /// Drops all that goes to a queue pair from a time on.
    WireScript kill(int destQp, long fromNs) {
        kills.add(new Kill(destQp, fromNs));
        return this;
    }

    /// Drops the packets with these numbers, counted from 0.
    WireScript dropIndexes(long... indexes) {
        rule =
                (_, index) -> {
                    for (long one : indexes) {
                        if (one == index) {
                            return Fate.DROP;
                        }
                    }
                    return Fate.PASS;
                };
        return this;
    }

    /// Whether nothing can save the packet.
    boolean isKilled(Flight packet, long nowNs) {
        for (int i = 0; i < partitions.size(); i++) {
            if (partitions.get(i).covers(nowNs)) {
                return true;
            }
        }
        for (int i = 0; i < kills.size(); i++) {
            Kill kill = kills.get(i);
            if (kill.destQp == packet.destQp() && nowNs >= kill.fromNs) {
                return true;
            }
        }
        return false;
    }
}
