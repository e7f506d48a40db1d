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
    private record State(
            SwitchGraph graph, Preparation.Accepted prepared, Routes routes, String engine) {}

    /// An engine that accepts a fabric, and the refusals of those before it.
    private record Choice(
            String engine, Preparation.@Nullable Accepted prepared, List<String> refusals) {}

    Routing(List<RoutingEngine> engines, RouteRunner runner, ForwardingTables tables) {
        this.engines = engines;
        this.runner = runner;
        this.tables = tables;
    }

    RoutingReport report() {
        return report;
    }

    /// Brings the tables in line with a fabric.
    void update(SwitchGraph graph) {
        Choice choice = choose(graph);
        Preparation.Accepted prepared = choice.prepared();
        if (prepared == null) {
            report = new RoutingReport("", "", choice.refusals(), false, 0, graph.count(), 0, 0, 0);
            return;
        }
        State before = usable(graph, prepared, choice.engine());
        Routes routes =
                before == null ? new Routes(graph, prepared) : before.routes.with(graph, prepared);
        Entries entries = new Entries(graph, prepared.tiers(), routes, tables);
        int computed =
                before == null
                        ? everything(graph, routes, entries)
                        : change(before.graph, graph, routes, entries);
        state = new State(graph, prepared, routes, choice.engine());
        report = report(choice, prepared, before == null, computed, routes, graph.count());
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

    private Choice choose(SwitchGraph graph) {
        List<String> refusals = new ArrayList<>();
        for (RoutingEngine engine : engines) {
            switch (Preparation.of(engine, graph)) {
                case Preparation.Accepted accepted -> {
                    return new Choice(engine.name(), accepted, refusals);
                }
                case Preparation.Refused refused ->
                        refusals.add(engine.name() + ": " + refused.reason());
            }
        }
        return new Choice("", null, refusals);
    }

    private int everything(SwitchGraph graph, Routes routes, Entries entries) {
        runner.run(
                graph.count(),
                destination -> {
                    routes.compute(destination);
                    entries.ofDestination(destination);
                });
        return graph.count();
    }

    private int change(SwitchGraph before, SwitchGraph graph, Routes routes, Entries entries) {
        int[] changed = changedSwitches(before, graph);
        BitSet stale = new BitSet();
        BitSet concerned = new BitSet();
        for (int destination = 0; destination < graph.count(); destination++) {
            for (int index : changed) {
                if (routes.isStale(destination, index)) {
                    stale.set(destination);
                    break;
                }
            }
            if (stale.get(destination) || !graph.hasSameLids(destination, before)) {
                concerned.set(destination);
            }
        }
        int[] destinations = concerned.stream().toArray();
        runner.run(
                destinations.length,
                task -> {
                    int destination = destinations[task];
                    if (stale.get(destination)) {
                        routes.compute(destination);
                    }
                    entries.ofDestination(destination);
                });
        runner.run(changed.length, task -> entries.ofSwitch(changed[task]));
        return destinations.length;
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
            Choice choice,
            Preparation.Accepted prepared,
            boolean isComplete,
            int computed,
            Routes routes,
            int switches) {
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
                choice.engine(),
                prepared.note(),
                choice.refusals(),
                isComplete,
                computed,
                switches,
                longest,
                turns,
                unreachable);
    }
}
