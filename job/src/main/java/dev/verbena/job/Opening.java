package dev.verbena.job;

import dev.verbena.collectives.plan.Place;
import dev.verbena.collectives.plan.Plan;
import dev.verbena.collectives.plan.Step;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/// A message of one element over each link of a plan, in the order in which the plan first uses
/// them: it makes the connections of the plan and does nothing of its work.
///
/// Of two ranks that send to each other the one with the smaller number does, because one message
/// is enough. Messages wait for nothing but their link, so that this ends wherever the plan does.
final class Opening implements Plan {
    /// By lane, the other ranks.
    private final int[][] sends;

    private final int[][] receives;

    Opening(Plan plan, int rank) {
        sends = new int[plan.lanes()][];
        receives = new int[plan.lanes()][];
        Step step = new Step();
        for (int lane = 0; lane < sends.length; lane++) {
            Peers to = new Peers();
            for (int i = 0; i < plan.sends(lane); i++) {
                plan.send(lane, i, step);
                to.add(step.peer);
            }
            Peers from = new Peers();
            for (int i = 0; i < plan.receives(lane); i++) {
                plan.receive(lane, i, step);
                from.add(step.peer);
            }
            sends[lane] = to.all().filter(it -> it > rank || !from.has(it)).toArray();
            receives[lane] = from.all().filter(it -> it < rank || !to.has(it)).toArray();
        }
    }

    /// Ranks, each once, in the order in which they came.
    private static final class Peers {
        private final BitSet known = new BitSet();
        private int[] order = new int[4];
        private int count;

        void add(int peer) {
            if (known.get(peer)) {
                return;
            }
            known.set(peer);
            if (count == order.length) {
                order = Arrays.copyOf(order, 2 * count);
            }
            order[count++] = peer;
        }

        boolean has(int peer) {
            return known.get(peer);
        }

        IntStream all() {
            return Arrays.stream(order, 0, count);
        }
    }

    @Override
    public int lanes() {
        return sends.length;
    }

    @Override
    public int sends(int lane) {
        return sends[lane].length;
    }

    @Override
    public int receives(int lane) {
        return receives[lane].length;
    }

    @Override
    public void send(int lane, int index, Step into) {
        into.set(sends[lane][index], 1, Place.INPUT, 0);
    }

    @Override
    public void receive(int lane, int index, Step into) {
        into.set(receives[lane][index], 1, Place.OUTPUT, 0);
    }
}
