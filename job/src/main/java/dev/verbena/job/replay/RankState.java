package dev.verbena.job.replay;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One rank at work: which of its nodes are ready, which units are busy, and what it has done.
final class RankState {
    /// What a rank needs from the others.
    interface Surroundings {
        long nowPs();

        /// Calls [RankState#handled] after a time.
        void later(long durationPs, RankState rank, int node);

        void send(RankState rank, int node);

        void collective(RankState rank, int node);

        /// The rank has a node that is ready.
        void ready(RankState rank);

        /// A node has finished.
        void finished();

        void problem(String text);
    }

    private static final long PS_PER_NS = 1000;

    final int job;
    final int number;
    final int host;
    final Schedule schedule;
    final Matching matching = new Matching();

    private final Surroundings around;
    private final Job.Rules rules;
    private final long overheadPs;
    private final int[] waitsFor;
    private final @Nullable Unit[] units = new Unit[256];
    private final IntQueue ready = new IntQueue();
    private int left;
    private int calculating;
    private long calculatesSincePs;
    private long calcPs;
    private long endPs;
    private long messages;
    private long sentBytes;
    private long collectives;

    /// @param number of the rank in its job
    /// @param host on which it runs
    RankState(
            int job,
            int number,
            int host,
            Schedule schedule,
            Job.Rules rules,
            long overheadNs,
            Surroundings around) {
        this.job = job;
        this.number = number;
        this.host = host;
        this.schedule = schedule;
        this.rules = rules;
        this.around = around;
        overheadPs = overheadNs * PS_PER_NS;
        waitsFor = schedule.waitsFor();
        left = schedule.nodes();
    }

    /// Nodes that have not finished.
    int left() {
        return left;
    }

    /// Finds the nodes that wait for nothing.
    void begin() {
        for (int node = 0; node < waitsFor.length; node++) {
            if (waitsFor[node] == 0) {
                ready.add(node);
            }
        }
        around.ready(this);
    }

    /// Starts the nodes that are ready, and those that become ready by it.
    void advance() {
        while (!ready.isEmpty()) {
            int node = ready.remove();
            if (schedule.kind(node) == NodeKind.RECEIVE) {
                post(node);
            } else {
                line(node);
            }
        }
    }

    /// A node waits in the line of its unit.
    private void line(int node) {
        Unit unit = unit(node);
        unit.line.add(node);
        pump(unit);
    }

    private Unit unit(int node) {
        int number = schedule.unit(node);
        Unit unit = units[number];
        if (unit == null) {
            unit = new Unit();
            units[number] = unit;
        }
        return unit;
    }

    private void pump(Unit unit) {
        while (!unit.isBusy && !unit.line.isEmpty()) {
            unit.isBusy = true;
            take(unit.line.remove());
        }
    }

    /// A unit turns to a node.
    private void take(int node) {
        switch (schedule.kind(node)) {
            case CALC -> {
                started(node);
                if (calculating++ == 0) {
                    calculatesSincePs = around.nowPs();
                }
                around.later(schedule.size(node) * PS_PER_NS, this, node);
            }
            case SEND -> {
                started(node);
                handle(node);
            }
            case RECEIVE -> handle(node);
            case COLLECTIVE -> {
                started(node);
                collectives++;
                around.collective(this, node);
            }
        }
    }

    private void handle(int node) {
        if (overheadPs == 0) {
            handled(node);
        } else {
            around.later(overheadPs, this, node);
        }
    }

    /// The unit is done with a node.
    void handled(int node) {
        switch (schedule.kind(node)) {
            case CALC -> {
                if (--calculating == 0) {
                    calcPs += around.nowPs() - calculatesSincePs;
                }
                free(node);
                finished(node);
            }
            case SEND -> {
                if (rules == Job.Rules.CPUS) {
                    free(node);
                }
                messages++;
                sentBytes += schedule.size(node);
                around.send(this, node);
            }
            case RECEIVE -> {
                free(node);
                finished(node);
            }
            case COLLECTIVE -> throw new AssertionError("it ends by itself");
        }
    }

    /// A message or a collective operation of this rank is over.
    void over(int node) {
        if (rules == Job.Rules.UNITS) {
            free(node);
        }
        finished(node);
    }

    private void free(int node) {
        unit(node).isBusy = false;
        around.ready(this);
    }

    /// Lets units go on that have become free, then starts what is ready.
    void proceed() {
        for (int number = 0; number < units.length; number++) {
            Unit unit = units[number];
            if (unit != null) {
                pump(unit);
            }
        }
        advance();
    }

    private void post(int node) {
        started(node);
        Matching.Arrival found = matching.post(node, schedule.peer(node), schedule.tag(node));
        if (found != null) {
            matched(node, found.source(), found.bytes());
        }
    }

    /// A message has arrived.
    void arrived(int source, int tag, long bytes) {
        int node = matching.arrive(source, tag, bytes);
        if (node >= 0) {
            matched(node, source, bytes);
        }
    }

    private void matched(int node, int source, long bytes) {
        if (bytes > schedule.size(node)) {
            around.problem(
                    "%s: %s takes a longer message, of %,d bytes from rank %d"
                            .formatted(schedule.place(node), schedule.text(node), bytes, source));
            return;
        }
        if (rules == Job.Rules.CPUS) {
            line(node);
        } else {
            finished(node);
        }
    }

    private void started(int node) {
        release(schedule.onStart(), node);
    }

    private void finished(int node) {
        left--;
        around.finished();
        endPs = around.nowPs();
        release(schedule.onFinish(), node);
    }

    private void release(Schedule.Edges edges, int node) {
        boolean any = false;
        for (int at = edges.from(node); at < edges.until(node); at++) {
            int next = edges.to(at);
            if (--waitsFor[next] == 0) {
                ready.add(next);
                any = true;
            }
        }
        if (any) {
            around.ready(this);
        }
    }

    RankTimes times(long startPs) {
        long end = Math.max(0, endPs - startPs);
        return new RankTimes(job, number, end, calcPs, messages, sentBytes, collectives);
    }

    /// What carries out one node at a time.
    private static final class Unit {
        private final IntQueue line = new IntQueue();
        private boolean isBusy;
    }

    /// A queue of nodes.
    private static final class IntQueue {
        private int[] nodes = new int[4];
        private int first;
        private int count;

        boolean isEmpty() {
            return count == 0;
        }

        void add(int node) {
            if (count == nodes.length) {
                int[] larger = Arrays.copyOfRange(nodes, first, first + 2 * count);
                System.arraycopy(nodes, 0, larger, count - first, first);
                nodes = larger;
                first = 0;
            }
            nodes[(first + count++) & (nodes.length - 1)] = node;
        }

        int remove() {
            int node = nodes[first];
            first = (first + 1) & (nodes.length - 1);
            count--;
            return node;
        }
    }
}
