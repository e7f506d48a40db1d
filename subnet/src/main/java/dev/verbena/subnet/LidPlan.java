package dev.verbena.subnet;

import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.SubnetState;
import dev.verbena.wire.mad.PortInfo;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Which LID each node has. A GUID keeps its LID for as long as the manager lives, also while the
/// node is away.
///
/// A new node keeps the LID that it reports, if no other has it. The others get the lowest free
/// ones: first the hosts, switch by switch and port by port, so that routes can spread them by the
/// digits of their LIDs, then the switches.
final class LidPlan {
    /// IBA 4.1.3.
    static final int UNICAST_MAX = 0xBFFF;

    /// LIDs that are kept though there are fewer nodes: a node must not make tables large.
    private static final int KEPT_MIN = 1024;

    private static final int KEPT_FACTOR = 4;

    private final SubnetState state;
    private final BitSet used = new BitSet();
    private int[] vertices = new int[0];

    LidPlan(SubnetState state) {
        this.state = state;
    }

    /// Forgets which nodes there are, but not their LIDs.
    void begin() {
        vertices = new int[0];
    }

    /// Gives a LID to every node that is present and has none.
    void assign(SubnetGraph graph) {
        used.clear();
        state.lids().values().forEach(used::set);
        int[] order = byGuidOrder(graph);
        for (int vertex : order) {
            recall(graph, vertex);
        }
        for (int vertex : order) {
            if (graph.isSwitch(vertex)) {
                for (int port = 1; port <= graph.ports(vertex); port++) {
                    int other = graph.neighbour(graph.slot(vertex, port));
                    if (other != SubnetGraph.NONE && !graph.isSwitch(other)) {
                        fresh(graph, other);
                    }
                }
            }
        }
        for (int vertex : order) {
            fresh(graph, vertex);
        }
        vertices = new int[top() + 1];
        Arrays.fill(vertices, SubnetGraph.NONE);
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            vertices[graph.lid(vertex)] = vertex;
        }
        vertices[0] = SubnetGraph.NONE;
    }

    /// The nodes that are present, or none if all of them have a LID.
    private static int[] byGuidOrder(SubnetGraph graph) {
        boolean isDone =
                IntStream.range(0, graph.vertices())
                        .allMatch(it -> graph.lid(it) != 0 || !graph.isPresent(it));
        return IntStream.range(0, isDone ? 0 : graph.vertices())
                .boxed()
                .filter(graph::isPresent)
                .sorted(Comparator.comparing(graph::guid, Long::compareUnsigned))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /// Takes the LID that a GUID had, or that its node reports.
    private void recall(SubnetGraph graph, int vertex) {
        if (graph.lid(vertex) != 0) {
            return;
        }
        Integer known = state.lids().get(graph.guid(vertex));
        if (known != null) {
            graph.lid(vertex, known);
            return;
        }
        long at = graph.infoAt(graph.ownSlot(vertex));
        int reported = PortInfo.LID.readInt(graph.infos(), at);
        int most = Math.max(KEPT_MIN, KEPT_FACTOR * graph.vertices());
        if (reported > 0 && reported <= Math.min(most, UNICAST_MAX) && !used.get(reported)) {
            take(graph, vertex, reported);
        }
    }

    private void fresh(SubnetGraph graph, int vertex) {
        if (graph.lid(vertex) != 0) {
            return;
        }
        int lid = used.nextClearBit(1);
        if (lid > UNICAST_MAX) {
            forgetAbsent(graph);
            lid = used.nextClearBit(1);
        }
        if (lid <= UNICAST_MAX) {
            take(graph, vertex, lid);
        }
    }

    private void take(SubnetGraph graph, int vertex, int lid) {
        used.set(lid);
        state.apply(new Command.GiveLid(graph.guid(vertex), lid));
        graph.lid(vertex, lid);
    }

    /// Frees the LIDs of GUIDs that the last discovery has not met.
    private void forgetAbsent(SubnetGraph graph) {
        for (Map.Entry<Long, Integer> known : List.copyOf(state.lids().entrySet())) {
            if (graph.vertex(known.getKey()) == SubnetGraph.NONE) {
                used.clear(known.getValue());
                state.apply(new Command.GiveLid(known.getKey(), 0));
            }
        }
    }

    /// The highest LID in use.
    int top() {
        return Math.max(0, used.length() - 1);
    }

    /// The vertex with a LID, or [SubnetGraph#NONE].
    int vertex(int lid) {
        return lid > 0 && lid < vertices.length ? vertices[lid] : SubnetGraph.NONE;
    }
}
