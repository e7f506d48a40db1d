package dev.verbena.fabric;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/// Flows that wait for the ends of others: which may start now, and which never can.
final class WaitingFlows {
    /// A flow that starts when so many ends have come.
    private record Waiter(int flow, int count) {}

    /// Ends of which some start flows. Several flows may wait for them, each for another number.
    private static final class Ends {
        /// Those for the fewest ends first. The ones before `next` have started, and the ones from
        /// `limit` on never start.
        private final List<Waiter> waiters = new ArrayList<>();

        private int next;
        private int limit;
        private int over;

        /// Ends that have come or can still come.
        private int possible;

        private void sort() {
            waiters.sort(Comparator.comparingInt(Waiter::count).thenComparingInt(Waiter::flow));
            limit = waiters.size();
        }

        private void come(IntConsumer start) {
            over++;
            while (next < limit && waiters.get(next).count <= over) {
                start.accept(waiters.get(next++).flow);
            }
        }

        private void lose(IntConsumer drop) {
            possible--;
            int from = limit;
            while (from > next && waiters.get(from - 1).count > possible) {
                from--;
            }
            for (int i = from; i < limit; i++) {
                drop.accept(waiters.get(i).flow);
            }
            limit = from;
        }
    }

    private final Map<Integer, List<Ends>> sent = new HashMap<>();
    private final Map<Integer, List<Ends>> received = new HashMap<>();

    /// @throws IllegalArgumentException for a flow that waits for a flow that is not in the list
    WaitingFlows(List<Flow> flows) {
        Map<List<List<Integer>>, Ends> all = new HashMap<>();
        // Flows of one trigger share the object: without comparing long lists each time.
        IdentityHashMap<After, Ends> known = new IdentityHashMap<>();
        for (int i = 0; i < flows.size(); i++) {
            After after = flows.get(i).after();
            if (!after.isNothing()) {
                require(i, after.sent(), flows.size());
                require(i, after.received(), flows.size());
                Ends ends =
                        known.computeIfAbsent(
                                after,
                                it ->
                                        all.computeIfAbsent(
                                                List.of(it.sent(), it.received()), _ -> add(it)));
                ends.waiters.add(new Waiter(i, after.count()));
            }
        }
        all.values().forEach(Ends::sort);
    }

    private static void require(int flow, List<Integer> others, int flows) {
        for (int other : others) {
            if (other < 0 || other >= flows) {
                throw new IllegalArgumentException(
                        "flow %d waits for flow %d: use 0 to %d".formatted(flow, other, flows - 1));
            }
        }
    }

    private Ends add(After after) {
        Ends ends = new Ends();
        ends.possible = after.sent().size() + after.received().size();
        for (int flow : after.sent()) {
            sent.computeIfAbsent(flow, _ -> new ArrayList<>(1)).add(ends);
        }
        for (int flow : after.received()) {
            received.computeIfAbsent(flow, _ -> new ArrayList<>(1)).add(ends);
        }
        return ends;
    }

    /// Whether a flow waits for the end of this one at its receiver.
    boolean awaitsReceiver(int flow) {
        return received.containsKey(flow);
    }

    /// A flow is over at its sender.
    ///
    /// @param start called for each flow that starts by it
    void sent(int flow, IntConsumer start) {
        sent.getOrDefault(flow, List.of()).forEach(ends -> ends.come(start));
    }

    /// A flow is over at its receiver.
    void received(int flow, IntConsumer start) {
        received.getOrDefault(flow, List.of()).forEach(ends -> ends.come(start));
    }

    /// A flow has failed.
    ///
    /// @param isReceived whether it was over at its receiver before
    /// @param drop called for each flow that can no longer start, and for those that wait for it
    void failed(int flow, boolean isReceived, IntConsumer drop) {
        ArrayDeque<Integer> rest = new ArrayDeque<>();
        IntConsumer dropped =
                it -> {
                    drop.accept(it);
                    rest.add(it);
                };
        lose(sent, flow, dropped);
        if (!isReceived) {
            lose(received, flow, dropped);
        }
        while (!rest.isEmpty()) {
            int next = rest.removeFirst();
            lose(sent, next, dropped);
            lose(received, next, dropped);
        }
    }

    private static void lose(Map<Integer, List<Ends>> ends, int flow, IntConsumer drop) {
        ends.getOrDefault(flow, List.of()).forEach(it -> it.lose(drop));
    }
}
