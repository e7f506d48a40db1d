package dev.verbena.subnet;

import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.SubnetState;
import dev.verbena.wire.mad.PortInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// Which LID each node has. A GUID keeps its LID for as long as the state lives, also while the
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

    /// Of host ports: each takes a span of LIDs, whose first ends in as many bits of 0.
    private final int lmc;

    private final BitSet used = new BitSet();

    /// GUIDs whose LIDs of an earlier plan do not fit this one.
    private final Set<Long> misfits = new HashSet<>();

    /// How many LIDs are held for each GUID that is not there.
    private final Map<Long, Integer> held = new HashMap<>();

    /// Where the search for a free span goes on.
    private int nextSpan;

    private final List<Command.GiveLid> gifts = new ArrayList<>();
    private boolean areAbsentForgotten;
    private int[] vertices = new int[0];

    LidPlan(SubnetState state, int lmc) {
        this.state = state;
        this.lmc = lmc;
    }

    /// Forgets which nodes there are, but not their LIDs.
    void begin() {
        vertices = new int[0];
    }

    /// Gives a LID to every node that is present and has none.
    ///
    /// @return commands by which the state gets them
    List<Command> assign(SubnetGraph graph) {
        gifts.clear();
        areAbsentForgotten = false;
        nextSpan = 1;
        claimKnown(graph);
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
            int lid = graph.lid(vertex);
            for (int i = 0; i < span(graph, vertex) && lid != 0; i++) {
                vertices[lid + i] = vertex;
            }
        }
        List<Command> commands = new ArrayList<>();
        for (int from = 0; from < gifts.size(); from += Command.GiveLids.COUNT_MAX) {
            int end = Math.min(gifts.size(), from + Command.GiveLids.COUNT_MAX);
            commands.add(new Command.GiveLids(gifts.subList(from, end)));
        }
        return commands;
    }

    private int span(SubnetGraph graph, int vertex) {
        return vertex != SubnetGraph.NONE && graph.isSwitch(vertex) ? 1 : 1 << lmc;
    }

    /// Marks the LIDs of the state as used. Those that an earlier manager gave with another LMC may
    /// not fit: their nodes get others.
    private void claimKnown(SubnetGraph graph) {
        used.clear();
        misfits.clear();
        held.clear();
        if (lmc == 0) {
            state.lids().values().forEach(used::set);
            return;
        }
        List<Long> absent = new ArrayList<>();
        List<Long> guids = new ArrayList<>(state.lids().keySet());
        guids.sort(Long::compareUnsigned);
        for (long guid : guids) {
            int vertex = graph.vertex(guid);
            if (vertex == SubnetGraph.NONE) {
                absent.add(guid);
            } else if (claim(guid, span(graph, vertex)) == 0) {
                misfits.add(guid);
            }
        }
        for (long guid : absent) {
            // It may have been a host with a span, or a switch with one LID.
            int whole = claim(guid, 1 << lmc);
            int kept = whole != 0 ? whole : claim(guid, 1);
            if (kept == 0) {
                misfits.add(guid);
            }
            held.put(guid, kept);
        }
    }

    /// Marks the LIDs of a GUID as used, if they fit.
    ///
    /// @return how many; 0: they do not fit
    private int claim(long guid, int span) {
        int lid = state.lids().getOrDefault(guid, 0);
        if (!isFree(lid, span)) {
            return 0;
        }
        used.set(lid, lid + span);
        return span;
    }

    private boolean isFree(int lid, int span) {
        int next = used.nextSetBit(lid);
        return lid > 0
                && lid % span == 0
                && lid + span - 1 <= UNICAST_MAX
                && (next < 0 || next >= lid + span);
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
        if (known != null && !misfits.contains(graph.guid(vertex))) {
            graph.lid(vertex, known);
            return;
        }
        long at = graph.infoAt(graph.ownSlot(vertex));
        int reported = PortInfo.LID.readInt(graph.infos(), at);
        int most = Math.max(KEPT_MIN, (KEPT_FACTOR * graph.vertices()) << lmc);
        if (reported <= most && isFree(reported, span(graph, vertex))) {
            take(graph, vertex, reported);
        }
    }

    private void fresh(SubnetGraph graph, int vertex) {
        if (graph.lid(vertex) != 0) {
            return;
        }
        int span = span(graph, vertex);
        int lid = free(span);
        if (lid > UNICAST_MAX && !areAbsentForgotten) {
            areAbsentForgotten = true;
            forgetAbsent(graph);
            nextSpan = 1;
            lid = free(span);
        }
        if (lid <= UNICAST_MAX) {
            take(graph, vertex, lid);
        }
    }

    /// The lowest free LIDs; above all if there are none.
    private int free(int span) {
        if (span == 1) {
            return used.nextClearBit(1);
        }
        int lid = Math.ceilDiv(nextSpan, span) * span;
        while (lid <= UNICAST_MAX && !isFree(lid, span)) {
            lid += span;
        }
        nextSpan = lid;
        return lid;
    }

    private void take(SubnetGraph graph, int vertex, int lid) {
        used.set(lid, lid + span(graph, vertex));
        gifts.add(new Command.GiveLid(graph.guid(vertex), lid));
        graph.lid(vertex, lid);
    }

    /// Frees the LIDs of GUIDs that the last discovery has not met.
    private void forgetAbsent(SubnetGraph graph) {
        for (Map.Entry<Long, Integer> known : List.copyOf(state.lids().entrySet())) {
            if (graph.vertex(known.getKey()) == SubnetGraph.NONE) {
                int count = lmc == 0 ? 1 : held.getOrDefault(known.getKey(), 0);
                used.clear(known.getValue(), known.getValue() + count);
                gifts.add(new Command.GiveLid(known.getKey(), 0));
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
