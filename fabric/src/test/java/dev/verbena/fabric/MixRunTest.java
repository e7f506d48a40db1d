package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Several workloads on one fabric.
class MixRunTest {
    private static final long US = 1_000_000;
    private static final long END_PS = 1_000_000 * US;
    private static final long BYTES = 8 << 20;

    private static MixRun run(FabricSettings settings, int only, Workload... workloads) {
        Fabric fabric = new Fabric(FatTree.single(8).topology(), settings);
        MixRun run =
                new MixRun(
                        fabric,
                        List.of(workloads),
                        only,
                        it -> it.ackRequestEvery(64).windowPackets(1 << 20),
                        _ -> {});
        assertThat(run.run(END_PS)).isTrue();
        return run;
    }

    private static Workload flow(String name, int from, int to, int level) {
        return Workload.rdma(name, List.of(Flow.of(from, to, BYTES).inClass(level)));
    }

    private static double gbits(MixRun run, int workload) {
        return run.deliveredBytes(workload) * 8e3 / run.spanPs(workload);
    }

    @Test
    void twoWorkloadsToOneHostShareItsLink() {
        MixRun alone = run(FabricSettings.ROCE, 0, flow("one", 1, 0, 0), flow("two", 2, 0, 0));
        MixRun both =
                run(FabricSettings.ROCE, MixRun.ALL, flow("one", 1, 0, 0), flow("two", 2, 0, 0));

        assertThat(alone.deliveredBytes(0)).isEqualTo(BYTES);
        assertThat(alone.deliveredBytes(1)).isZero();
        assertThat(alone.left()).isZero();
        double slowdown = (double) both.timesPs(0)[0] / alone.timesPs(0)[0];
        assertThat(slowdown).isCloseTo(2, within(0.05));
    }

    @Test
    void aWorkloadAloneTakesTheSameWayAsBesideOthers() {
        Topology tree = FatTree.ofRadix(32, 2, 16, 1).topology();
        List<Workload> mixed =
                List.of(
                        Workload.rdma("first", Patterns.shift(32, 16, BYTES)),
                        // They start when all others are over.
                        Workload.rdma(
                                "late",
                                Patterns.shift(32, 9, BYTES).stream()
                                        .map(it -> it.startingAt(100_000 * US))
                                        .toList()));
        long[][] times = new long[2][];
        for (int only : new int[] {MixRun.ALL, 1}) {
            MixRun run =
                    new MixRun(
                            new Fabric(tree, FabricSettings.ROCE),
                            mixed,
                            only,
                            it -> it.windowPackets(1 << 20),
                            _ -> {});
            assertThat(run.run(END_PS)).isTrue();
            times[only == MixRun.ALL ? 0 : 1] = run.timesPs(1);
        }
        assertThat(times[1]).isEqualTo(times[0]);
    }

    @Test
    void aFlowRepeatsUntilItsTimeIsOver() {
        Flow again = Flow.of(1, 0, 1 << 20).startingAt(10 * US).repeatedUntil(510 * US);
        MixRun run = run(FabricSettings.ROCE, MixRun.ALL, Workload.rdma("again", List.of(again)));

        // Each takes 21.4 us of the line, and a round trip.
        int messages = run.flows().messages(0);
        assertThat(messages).isBetween(18, 24);
        assertThat(run.deliveredBytes(0)).isEqualTo((long) messages << 20);
        assertThat(run.spanPs(0)).isBetween(500 * US, 530 * US);
        assertThat(run.timesPs(0)[0]).isEqualTo(run.spanPs(0) / messages);
    }

    @Test
    void bytesOfAFlowThatRepeatsNeverGoBack() {
        Flow again = Flow.of(1, 0, 64 << 10).repeatedUntil(200 * US);
        Fabric fabric = new Fabric(FatTree.single(4).topology(), FabricSettings.ROCE);
        FlowRun run = new FlowRun(fabric, List.of(again), it -> it.windowPackets(1 << 20));
        long before = 0;
        for (long at = US / 8; !run.run(at); at += US / 8) {
            long now = run.deliveredBytes(0);
            assertThat(now).isGreaterThanOrEqualTo(before);
            before = now;
        }
        assertThat(run.deliveredBytes(0)).isEqualTo(run.messages(0) * (64L << 10));
    }

    /// The receiver has a message some time before the sender knows it.
    @Test
    void aRunThatEndsLaterHasNoFewerBytes() {
        Flow again = Flow.of(1, 0, 4 << 10).repeatedUntil(100 * US);
        long before = 0;
        for (long endPs = US / 50; endPs < 20 * US; endPs += US / 50) {
            Fabric fabric = new Fabric(FatTree.single(2).topology(), FabricSettings.ROCE);
            FlowRun run = new FlowRun(fabric, List.of(again), it -> it.windowPackets(1 << 20));
            assertThat(run.run(endPs)).isFalse();
            long now = run.deliveredBytes(0);
            assertThat(now).as("after %d ps", endPs).isGreaterThanOrEqualTo(before);
            before = now;
        }
        assertThat(before).isGreaterThan(3 * (4 << 10));
    }

    @Test
    void aRunIsNotOverWhileTcpIsNot() {
        Workload stream =
                new Workload("stream", List.of(Flow.of(2, 0, BYTES)), Workload.Protocol.TCP);
        MixRun run =
                new MixRun(
                        new Fabric(FatTree.single(4).topology(), FabricSettings.ROCE),
                        List.of(Workload.rdma("short", List.of(Flow.of(1, 0, 1))), stream),
                        MixRun.ALL,
                        _ -> {},
                        _ -> {});
        assertThat(run.run(20 * US)).isFalse();
        assertThat(run.flows().pending()).isZero();
        assertThat(run.pending()).isEqualTo(1);
        assertThat(run.left()).isEqualTo(1);

        assertThat(run.run(END_PS)).isTrue();
        assertThat(run.pending()).isZero();
        assertThat(run.deliveredBytes(1)).isEqualTo(BYTES);
    }

    /// IEEE 802.1Qaz: shares hold while both have something to send.
    @Test
    void sharesOfClassesHoldWhileBothSend() {
        FabricKind.Ethernet kind = (FabricKind.Ethernet) FabricSettings.ROCE.kind();
        for (int share : new int[] {1, 2, 3, 9}) {
            FabricSettings settings =
                    FabricSettings.ROCE.withKind(
                            kind.withEts(new Ets(0, List.of(share, 1, 1, 1, 1, 1, 1, 1))));
            MixRun run =
                    run(
                            settings,
                            MixRun.ALL,
                            Workload.rdma("wide", List.of(Flow.of(1, 0, share * BYTES).inClass(0))),
                            flow("narrow", 2, 0, 1));

            // Bytes in proportion to the shares: both end together.
            assertThat((double) run.spanPs(0) / run.spanPs(1))
                    .as("share %d", share)
                    .isCloseTo(1, within(0.02));
            assertThat(gbits(run, 0) + gbits(run, 1)).isBetween(375.0, 400.0);
        }
    }

    /// A rate over the time in which nothing more could arrive would be of no use.
    @Test
    void theTimeOfAWorkloadThatFailsEndsWhenItsQueuePairGivesUp() {
        Fabric fabric = new Fabric(FatTree.single(4).topology(), FabricSettings.ROCE);
        fabric.fault(CableFault.down(0, 10 * US, CableFault.FOR_EVER));
        MixRun run =
                new MixRun(
                        fabric,
                        List.of(
                                flow("fails", 1, 0, 0),
                                Workload.rdma(
                                        "long",
                                        List.of(Flow.of(2, 3, BYTES).repeatedUntil(9_000 * US)))),
                        MixRun.ALL,
                        it -> it.windowPackets(1 << 20),
                        it -> it.timeout(4));
        assertThat(run.run(END_PS)).isFalse();

        long failedPs = run.flows().failed().getFirst().timePs();
        assertThat(failedPs).isLessThan(5_000 * US);
        assertThat(run.spanPs(0)).isEqualTo(failedPs);
        assertThat(run.spanPs()).isEqualTo(run.spanPs(1)).isGreaterThan(9_000 * US);
        assertThat(run.deliveredBytes()).isEqualTo(run.deliveredBytes(0) + run.deliveredBytes(1));
    }

    @Test
    void aWorkloadThatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> Workload.rdma("none", List.of()))
                .hasMessageContaining("workload none has no flows");
        assertThatThrownBy(() -> Flow.of(0, 1, 1).inClass(8)).hasMessageContaining("use 0 to 7");
        assertThatThrownBy(() -> Flow.of(0, 1, 1).startingAt(5).repeatedUntil(5))
                .hasMessageContaining("it ends after it has started");
    }
}
