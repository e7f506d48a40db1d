package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fabric.manage.Subnet;
import dev.verbena.fabric.manage.SubnetSettings;
import dev.verbena.subnet.state.Command;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SmpBlocks;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Managers on hosts of one network, with one log of commands between them. It watches each write:
/// whether a node obeys an earlier manager, and whether all nodes have the key of a term before
/// routes are written in it.
final class SharedLab {
    /// Keys of terms, by the number of the term.
    private static final long KEYS = 0x5EED_0000_0000_0000L;

    final PlainPlane plane;
    final Subnet subnet;
    final List<Command> log = new ArrayList<>();

    /// What must not happen, and has happened.
    final List<String> violations = new ArrayList<>();

    /// Nodes whose answers a test loses: no manager can reach them to set a key.
    final BitSet silent = new BitSet();

    private final Map<Integer, Long> keys = new HashMap<>();
    private final Map<Integer, Integer> writes = new HashMap<>();
    private @Nullable Seat sending;
    private long terms;

    SharedLab(PlainPlane plane) {
        this.plane = plane;
        subnet = new Subnet(plane, SubnetSettings.DEFAULT);
        subnet.observe(this::seen);
    }

    static long key(long term) {
        return KEYS + term;
    }

    long term() {
        return terms;
    }

    Seat seat(int host) {
        return new Seat(this, host);
    }

    /// A new term, which a seat begins.
    Command.BeginTerm nextTerm() {
        terms++;
        return new Command.BeginTerm(terms, key(terms));
    }

    void sending(@Nullable Seat seat) {
        sending = seat;
    }

    /// The key that a node has; 0: none.
    long keyOf(int node) {
        return keys.getOrDefault(node, 0L);
    }

    /// How often nodes obeyed requests of a kind, by the ID of the attribute.
    int writes(int attribute) {
        return writes.getOrDefault(attribute, 0);
    }

    private void seen(int node, MemorySegment mad, boolean isObeyed) {
        if (!isObeyed || sending == null) {
            return;
        }
        int attribute = Mad.attributeId(mad, 0);
        writes.merge(attribute, 1, Integer::sum);
        long own = key(sending.term());
        if (keyOf(node) > own) {
            violations.add("node %d of a later term obeys term %d".formatted(node, sending.term()));
        }
        int port = Mad.attributeModifier(mad, 0) & 0xFF;
        boolean isOwn = attribute == PortInfo.ATTRIBUTE_ID && port == (node < plane.hosts ? 1 : 0);
        if (isOwn) {
            keys.put(node, PortInfo.M_KEY.read(mad, Smp.DATA));
        }
        if (attribute == SmpBlocks.LINEAR_FORWARDING) {
            int[] reach = new Walk(plane, subnet).distances(sending.host());
            for (int other = 0; other < reach.length; other++) {
                if (reach[other] >= 0 && !silent.get(other) && keyOf(other) < own) {
                    violations.add(
                            "a route of term %d before node %d had its key"
                                    .formatted(sending.term(), other));
                }
            }
        }
    }

    /// Pulls a cable or plugs it in.
    void plug(int cable, boolean isIn) {
        plane.plug(cable, isIn);
        int[] ends = plane.cables.get(cable);
        subnet.cableChanged(ends[0], ends[1]);
    }

    /// Packets go from each host that has a link to each other one.
    void assertRouted(int from) {
        Walk walk = new Walk(plane, subnet);
        int[] reach = walk.distances(from);
        for (int host = 0; host < plane.hosts; host++) {
            for (int to = 0; to < plane.hosts; to++) {
                if (reach[host] >= 0 && reach[to] >= 0 && host != to) {
                    assertThat(walk.hops(host, to))
                            .as("hops from host %d to %d", host, to)
                            .isNotNegative();
                }
            }
        }
        assertThat(violations).isEmpty();
    }
}
