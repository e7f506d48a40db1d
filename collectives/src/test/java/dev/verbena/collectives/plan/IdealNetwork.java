package dev.verbena.collectives.plan;

import java.util.ArrayList;
import java.util.List;

/// The time that plans take where each rank has one link to other hosts and one within its host. A
/// link sends and receives a message at a time at full rate, and every message takes one latency
/// more. Combining takes no time. A short message is copied as it is sent, so that its sender need
/// not wait until it is acknowledged.
final class IdealNetwork {
    private static final long SHORT_ELEMENTS = 16;

    private final List<Plan> plans;
    private final double latency;
    private final double perElement;
    private final double[][][] received;
    private final double[][][] sent;
    private final int[][] nextSend;
    private final int[][] nextReceive;
    private final int group;
    private final double[][] sendFree;
    private final double[][] receiveFree;
    private final Step send = new Step();
    private final Step receive = new Step();
    private double end;

    IdealNetwork(List<Plan> plans, int group, double latency, double perElement) {
        this.plans = plans;
        this.group = group;
        this.latency = latency;
        this.perElement = perElement;
        int size = plans.size();
        received = new double[size][][];
        sent = new double[size][][];
        nextSend = new int[size][];
        nextReceive = new int[size][];
        sendFree = new double[size][2];
        receiveFree = new double[size][2];
        for (int i = 0; i < size; i++) {
            Plan plan = plans.get(i);
            int lanes = plan.lanes();
            received[i] = new double[lanes][];
            sent[i] = new double[lanes][];
            nextSend[i] = new int[lanes];
            nextReceive[i] = new int[lanes];
            for (int lane = 0; lane < lanes; lane++) {
                received[i][lane] = new double[plan.receives(lane)];
                sent[i][lane] = new double[plan.sends(lane)];
            }
        }
    }

    static double time(Shape shape, Algorithm algorithm, double latency, double perElement) {
        List<Plan> plans = new ArrayList<>();
        for (int rank = 0; rank < shape.size(); rank++) {
            plans.add(Plans.of(ofRank(shape, rank), algorithm));
        }
        return new IdealNetwork(plans, shape.groupSize(), latency, perElement).run();
    }

    static Shape ofRank(Shape shape, int rank) {
        return Shape.of(shape.operation(), rank, shape.size(), shape.count())
                .withRoot(shape.root())
                .withLanes(shape.lanes())
                .withGroups(shape.groupSize())
                .withPieces(shape.pieceElements());
    }

    /// The message that can begin first goes first.
    private double run() {
        while (true) {
            double first = Double.POSITIVE_INFINITY;
            int rank = -1;
            int lane = -1;
            for (int i = 0; i < plans.size(); i++) {
                for (int j = 0; j < nextSend[i].length; j++) {
                    double begin = begin(i, j);
                    if (begin < first) {
                        first = begin;
                        rank = i;
                        lane = j;
                    }
                }
            }
            if (rank < 0) {
                return end;
            }
            begin(rank, lane);
            int peer = send.peer;
            double over = first + send.count * perElement;
            int link = link(rank, peer);
            sendFree[rank][link] = over;
            receiveFree[peer][link] = over;
            boolean isShort = send.count <= SHORT_ELEMENTS;
            sent[rank][lane][nextSend[rank][lane]++] = isShort ? over : over + 2 * latency;
            received[peer][lane][nextReceive[peer][lane]++] = over + latency;
            end = Math.max(end, over + latency);
        }
    }

    private double begin(int rank, int lane) {
        Plan plan = plans.get(rank);
        if (nextSend[rank][lane] == plan.sends(lane)) {
            return Double.POSITIVE_INFINITY;
        }
        plan.send(lane, nextSend[rank][lane], send);
        Plan peer = plans.get(send.peer);
        if (nextReceive[send.peer][lane] == peer.receives(lane)) {
            return Double.POSITIVE_INFINITY;
        }
        peer.receive(lane, nextReceive[send.peer][lane], receive);
        if (receive.peer != rank) {
            return Double.POSITIVE_INFINITY;
        }
        int link = link(rank, send.peer);
        double begin = Math.max(sendFree[rank][link], receiveFree[send.peer][link]);
        begin = Math.max(begin, ready(rank, send));
        return Math.max(begin, ready(send.peer, receive) - latency);
    }

    private int link(int rank, int peer) {
        return rank / group == peer / group ? 1 : 0;
    }

    private double ready(int rank, Step step) {
        double ready = 0;
        if (step.receives > 0) {
            ready = at(received[rank][step.receivesLane], step.receives, nextReceive[rank], step);
        }
        if (step.sends > 0) {
            boolean over = nextSend[rank][step.sendsLane] >= step.sends;
            double when = over ? sent[rank][step.sendsLane][step.sends - 1] : Double.NaN;
            ready = over ? Math.max(ready, when) : Double.POSITIVE_INFINITY;
        }
        return ready;
    }

    private static double at(double[] times, int count, int[] next, Step step) {
        return next[step.receivesLane] >= count ? times[count - 1] : Double.POSITIVE_INFINITY;
    }
}
