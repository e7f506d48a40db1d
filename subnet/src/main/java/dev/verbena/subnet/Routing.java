package dev.verbena.subnet;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps the routes of a subnet: computes all of them, or after a change those that it concerns.
///
/// A change concerns a destination if the distance of a switch at the changed link does not follow
/// from its neighbours' any more. All other destinations keep their distances, and only the
/// switches at the link choose anew among their ports. The result is what a computation of
/// everything gives.
final class Routing {
    private final List<RoutingEngine> engines;
    private final RouteRunner runner;
    private final ForwardingTables tables;
    private @Nullable State state;
    private RoutingReport report = RoutingReport.NONE;

    /// The routes in use, and the fabric they are for.
    ///
    /// @param lanes of engines that put routes into lanes
    private record State(
            SwitchGraph graph,
            Preparation.Accepted prepared,
            Routes routes,
            String engine,
            @Nullable Lanes lanes) {}

    Routing(List<RoutingEngine> engines, RouteRunner runner, ForwardingTables tables) {
        this.engines = engines;
        this.runner = runner;
        this.tables = tables;
    }

    RoutingReport report() {
        return report;
    }

    /// The service level of packets between two nodes; -1 if the engine in use leaves it open.
    int level(int vertex, int other) {
        State now = state;
        Lanes lanes = now == null ? null : now.lanes;
        if (now == null || lanes == null) {
            return -1;
        }
        int index = now.graph.indexOf(vertex);
        int otherIndex = now.graph.indexOf(other);
        return index < 0 || otherIndex < 0 ? 0 : lanes.lane(index, otherIndex);
    }

    /// Brings the tables in line with a fabric, by the first engine that accepts it.
    ///
    /// @param least the virtual lanes that all links between switches have
    void update(SwitchGraph graph, LevelTables.Least least) {
        List<String> refusals = new ArrayList<>();
        for (RoutingEngine engine : engines) {
            String reason =
                    switch (Preparation.of(engine, graph)) {
                        case Preparation.Accepted accepted ->
                                use(engine.name(), graph, accepted, least, refusals);
                        case Preparation.Refused refused -> refused.reason();
                    };
            if (reason.isEmpty()) {
                return;
            }
            refusals.add(engine.name() + ": " + reason);
        }
        report = new RoutingReport("", "", refusals, false, 0, graph.count(), 0, 0, 0, 0);
    }

    /// Computes the routes of an engine, and puts them into the tables.
    ///
    /// @return why not; empty: it is done
    private String use(
            String engine,
            SwitchGraph graph,
            Preparation.Accepted prepared,
            LevelTables.Least least,
            List<String> refusals) {
        State before = usable(graph, prepared, engine);
        Routes routes =
                before == null ? new Routes(graph, prepared) : before.routes.with(graph, prepared);
        int[] changed = before == null ? new int[0] : changedSwitches(before.graph, graph);
        BitSet stale = before == null ? all(graph) : stale(graph, routes, changed);
        int[] computed = stale.stream().toArray();
        runner.run(computed.length, task -> routes.compute(computed[task]));
        Lanes lanes = null;
        if (prepared.isLayered()) {
            lanes = Lanes.of(graph, routes, least.lanes());
            if (lanes.used() > least.lanes()) {
                // What is in use was computed over, where it was kept.
                state = before == null ? state : null;
                return "routes need more lanes than the %d of %s"
                        .formatted(least.lanes(), least.where());
            }
        }
        Entries entries = new Entries(graph, prepared, routes, tables);
        int[] written = before == null ? computed : concerned(before.graph, graph, stale);
        runner.run(written.length, task -> entries.ofDestination(written[task]));
        runner.run(changed.length, task -> entries.ofSwitch(changed[task]));
        state = new State(graph, prepared, routes, engine, lanes);
        int laneCount = lanes == null ? 1 : lanes.used();
        report =
                report(
                        engine,
                        prepared,
                        refusals,
                        before == null,
                        written.length,
                        routes,
                        graph.count(),
                        laneCount);
        return "";
    }

    private static BitSet all(SwitchGraph graph) {
        BitSet all = new BitSet();
        all.set(0, graph.count());
        return all;
    }

    /// The routes in use, if those of a fabric differ from them by links and LIDs only.
    private @Nullable State usable(
            SwitchGraph graph, Preparation.Accepted prepared, String engine) {
        State before = state;
        return before != null
                        && before.engine.equals(engine)
                        && before.graph.hasSameSwitches(graph)
                        && before.prepared.tiers().hasSameShape(prepared.tiers())
                ? before
                : null;
    }

    /// Destinations whose distances do not follow from each other any more.
    private static BitSet stale(SwitchGraph graph, Routes routes, int[] changed) {
        BitSet stale = new BitSet();
        for (int destination = 0; destination < graph.count(); destination++) {
            for (int index : changed) {
                if (routes.isStale(destination, index)) {
                    stale.set(destination);
                    break;
                }
            }
        }
        return stale;
    }

    /// Destinations whose entries are written: those with other distances, or with other LIDs.
    private static int[] concerned(SwitchGraph before, SwitchGraph graph, BitSet stale) {
        BitSet concerned = new BitSet();
        concerned.or(stale);
        for (int destination = 0; destination < graph.count(); destination++) {
            if (!graph.hasSameLids(destination, before)) {
                concerned.set(destination);
            }
        }
        return concerned.stream().toArray();
    }

    private static int[] changedSwitches(SwitchGraph before, SwitchGraph graph) {
        BitSet changed = new BitSet();
        for (int index = 0; index < graph.count(); index++) {
            if (!graph.hasSameLinks(index, before)) {
                changed.set(index);
            }
        }
        return changed.stream().toArray();
    }

    private static RoutingReport report(
            String engine,
            Preparation.Accepted prepared,
            List<String> refusals,
            boolean isComplete,
            int computed,
            Routes routes,
            int switches,
            int lanes) {
        int longest = 0;
        long turns = 0;
        long unreachable = 0;
        for (int destination = 0; destination < switches; destination++) {
            for (int index = 0; index < switches; index++) {
                short value = routes.value(destination, index);
                if (value == Routes.UNREACHABLE) {
                    unreachable++;
                } else {
                    longest = Math.max(longest, Routes.hops(value));
                    turns += Routes.kind(value) == Routes.TURN ? 1 : 0;
                }
            }
        }
        return new RoutingReport(
                engine,
                prepared.note(),
                refusals,
                isComplete,
                computed,
                switches,
                longest,
                turns,
                unreachable,
                lanes);
    }
}
