package dev.verbena.collectives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.run.LocalWork;
import dev.verbena.collectives.trace.RankTrace;
import dev.verbena.collectives.trace.StepTrace;
import dev.verbena.collectives.trace.TracedStep;
import dev.verbena.collectives.trace.TracedStep.Kind;
import dev.verbena.collectives.trace.Verdict;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.virtual.VirtualNetwork;
import dev.verbena.virtual.VirtualSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Steps of operations that were carried out.
class TraceTest {
    private static final int RANKS = 4;
    private static final long LIMIT_NS = 10_000_000_000L;
    private static final long STEP_NS = 10_000;
    private static final long WORK_NS = 1_000_000;

    /// Rank 2 needs a millisecond for each message.
    private record SlowSecond(int rank) implements LocalWork {
        @Override
        public LocalWork of(int other) {
            return new SlowSecond(other);
        }

        @Override
        public long sendNs(long bytes) {
            return rank == 2 ? WORK_NS : 0;
        }

        @Override
        public long receiveNs(long bytes, boolean combines) {
            return 0;
        }
    }

    private static List<RankTrace> traces(int bytes, int operations, boolean isTraced) {
        try (var network = new VirtualNetwork(VirtualSettings.DEFAULT)) {
            List<Device> devices = new ArrayList<>();
            for (int i = 0; i < RANKS; i++) {
                devices.add(network.open("rank" + i));
            }
            try (Ranks ranks =
                    new Ranks(
                            devices,
                            1,
                            it ->
                                    it.withLanes(1)
                                            .withPieceBytes(1 << 14)
                                            .withChoice(it.choice().prefer(Algorithm.RING)))) {
                List<Communicator> slow = new ArrayList<>();
                for (Communicator rank : ranks.all) {
                    slow.add(rank.with(it -> it.withWork(new SlowSecond(0).of(rank.rank()))));
                }
                List<RankTrace> found = traces(ranks, slow, bytes, operations, isTraced);
                slow.forEach(Communicator::close);
                return found;
            }
        }
    }

    private static List<RankTrace> traces(
            Ranks ranks, List<Communicator> all, int bytes, int operations, boolean isTraced) {
        List<StepTrace> traces = new ArrayList<>();
        for (Communicator rank : all) {
            StepTrace trace = new StepTrace(1000, ranks.time::nowNs);
            rank.traceTo(trace);
            rank.traceTo(isTraced ? trace : null);
            traces.add(trace);
        }
        for (int i = 0; i < operations; i++) {
            List<Work> works = new ArrayList<>();
            for (Communicator rank : all) {
                RankMemory memory = rank.allocate(bytes);
                works.add(
                        rank.allReduce(
                                memory.span(), memory.span(), ElementType.FLOAT32, Reduction.SUM));
            }
            assertThatThrownBy(() -> all.getFirst().traceTo(null))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("an operation is under way");
            run(ranks, all, works);
        }
        List<RankTrace> found = new ArrayList<>();
        for (int rank = 0; rank < traces.size(); rank++) {
            found.add(traces.get(rank).of(rank));
        }
        return found;
    }

    /// Until all are over; steps no further than to the end of a rank's work.
    private static void run(Ranks ranks, List<Communicator> all, List<Work> works) {
        long endNs = ranks.time.nowNs() + LIMIT_NS;
        while (!works.stream().allMatch(Work::isDone)) {
            boolean any = false;
            long nextNs = endNs;
            for (Communicator rank : all) {
                any |= rank.progress(ranks.time.nowNs());
                nextNs = Math.min(nextNs, rank.nextNs());
            }
            if (!any && !ranks.time.step(nextNs)) {
                // Of connections that are being made no event tells.
                ranks.time.advanceTo(Math.min(nextNs, ranks.time.nowNs() + STEP_NS));
            }
            assertThat(ranks.time.nowNs()).isLessThan(endNs);
        }
    }

    private static List<TracedStep> of(RankTrace trace, Kind kind) {
        return trace.steps().stream().filter(it -> it.kind() == kind).toList();
    }

    @Test
    void hasEveryStepOfEveryOperation() {
        for (RankTrace trace : traces(1 << 16, 2, true)) {
            // A ring of four: six steps, and parts of 16 KiB are one message.
            assertThat(of(trace, Kind.SEND)).hasSize(12);
            assertThat(of(trace, Kind.RECEIVE)).hasSize(12);
            assertThat(of(trace, Kind.OPERATION)).hasSize(2);
            assertThat(of(trace, Kind.SEND))
                    .allMatch(it -> it.peer() == (trace.rank() + 1) % RANKS)
                    .allMatch(it -> it.bytes() == 1 << 14)
                    .allMatch(it -> it.transferNs() > 0);
            assertThat(of(trace, Kind.RECEIVE))
                    .allMatch(it -> it.peer() == (trace.rank() + 3) % RANKS);
            assertThat(trace.steps())
                    .allMatch(it -> it.waitedNs() >= 0)
                    .allMatch(it -> it.ownNs() >= 0);
        }
    }

    @Test
    void shortMessagesHaveNoTransfer() {
        List<TracedStep> sends = of(traces(64, 1, true).getFirst(), Kind.SEND);
        assertThat(sends).isNotEmpty().noneMatch(TracedStep::hasTransfer);
    }

    @Test
    void waitingSpreadsAndOwnTimeDoesNot() {
        List<RankTrace> traces = traces(1 << 16, 3, true);
        for (RankTrace trace : traces) {
            long ownNs = trace.steps().stream().mapToLong(TracedStep::ownNs).sum();
            long waitedNs = of(trace, Kind.RECEIVE).stream().mapToLong(TracedStep::waitedNs).sum();
            if (trace.rank() == 2) {
                assertThat(ownNs).isBetween(18 * WORK_NS, 19 * WORK_NS);
            } else {
                assertThat(ownNs).isZero();
                assertThat(waitedNs).isGreaterThan(10 * WORK_NS);
            }
        }
        assertThat(Verdict.of(traces).culprit()).isEqualTo("rank 2");
    }

    @Test
    void isOffAtFirst() {
        assertThat(traces(1 << 16, 1, false)).allMatch(it -> it.steps().isEmpty());
    }
}
