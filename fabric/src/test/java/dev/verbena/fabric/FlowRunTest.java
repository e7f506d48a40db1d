package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePairAttributes;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Flows that start others, flows that fail, and bytes that are delivered; over one switch, with
/// 500 ns for each cable and for the switch.
class FlowRunTest {
    private static final long END_PS = 5_000_000_000_000L;
    private static final long D = 500_000;

    /// A first packet of a WRITE at 400 Gb/s: 4,096 bytes of payload, 28 of BTH and RETH, 46 of
    /// Ethernet, IP and UDP, 4 of ICRC, 20 of preamble and gap.
    private static final long FIRST_PS = (4096 + 28 + 46 + 4 + 20) * 20;

    /// The others have no RETH.
    private static final long NEXT_PS = FIRST_PS - 16 * 20;

    /// An acknowledgement: BTH, AETH, ICRC, and the same around them.
    private static final long ACK_PS = (16 + 46 + 4 + 20) * 20;

    /// An acknowledgement over two cables and the switch.
    private static final long BACK_PS = 2 * ACK_PS + 3 * D;

    private static FlowRun run(List<Flow> flows, Consumer<QueuePairAttributes> connections) {
        Fabric fabric = new Fabric(FatTree.single(8).topology(), FabricSettings.ROCE);
        return new FlowRun(
                fabric, flows, it -> it.ackRequestEvery(64).windowPackets(1 << 20), connections);
    }

    private static FlowRun run(Flow... flows) {
        FlowRun run = run(List.of(flows), _ -> {});
        assertThat(run.run(END_PS)).isTrue();
        return run;
    }

    @Test
    void aFlowStartsWhenAllThatItWaitsForAreOver() {
        FlowRun run =
                run(
                        Flow.of(0, 1, 10_000_000),
                        Flow.of(2, 3, 1000),
                        Flow.of(4, 5, 1000).startingAfter(After.all(List.of(0, 1))));

        assertThat(run.endPs(1)).isLessThan(run.endPs(0));
        assertThat(run.startedPs(2)).isEqualTo(run.endPs(0));
    }

    @Test
    void aFlowStartsWhenTheFirstOfSeveralIsOver() {
        After first = new After(List.of(0, 1), List.of(), 1);
        FlowRun run =
                run(
                        Flow.of(0, 1, 10_000_000),
                        Flow.of(2, 3, 1000),
                        Flow.of(4, 5, 1000).startingAfter(first),
                        Flow.of(6, 7, 1000).startingAfter(first));

        assertThat(run.startedPs(2)).isEqualTo(run.endPs(1));
        assertThat(run.startedPs(3)).isEqualTo(run.endPs(1));
    }

    @Test
    void flowsStartOneAfterTheOtherAsOthersEnd() {
        List<Integer> both = List.of(0, 1);
        FlowRun run =
                run(
                        Flow.of(0, 1, 10_000_000),
                        Flow.of(2, 3, 1000),
                        Flow.of(4, 5, 1000).startingAfter(new After(both, List.of(), 2)),
                        Flow.of(6, 7, 1000).startingAfter(new After(both, List.of(), 1)));

        assertThat(run.startedPs(2)).isEqualTo(run.endPs(0));
        assertThat(run.startedPs(3)).isEqualTo(run.endPs(1));
    }

    @Test
    void aFlowIsOverAtItsReceiverBeforeItsAcknowledgementIsBack() {
        FlowRun run =
                run(
                        Flow.of(0, 1, 100_000),
                        Flow.of(1, 2, 1000).startingAfter(new After(List.of(), List.of(0), 1)));

        assertThat(run.startedPs(1)).isEqualTo(run.endPs(0) - BACK_PS);
    }

    @Test
    void bothEndsOfAFlowCount() {
        After both = new After(List.of(0), List.of(0), 2);
        FlowRun run = run(Flow.of(0, 1, 100_000), Flow.of(1, 2, 1000).startingAfter(both));

        assertThat(run.startedPs(1)).isEqualTo(run.endPs(0));
    }

    /// Packets to this host go to an address that no host has.
    private static Consumer<QueuePairAttributes> without(int host) {
        Gid gid = Gid.ofIpv4(0x0A00_0001 + host);
        return it -> {
            if (it.address().gid().equals(gid)) {
                it.address(it.address().withGid(Gid.ofIpv4(0x0A00_00FF)));
            }
        };
    }

    @Test
    void aFlowThatCanNoLongerStartIsNamedAndSoAreThoseThatWaitForIt() {
        After either = new After(List.of(0, 1), List.of(), 1);
        FlowRun run =
                run(
                        List.of(
                                Flow.of(0, 1, 1000),
                                Flow.of(2, 5, 1000),
                                Flow.of(3, 4, 1000).startingAfter(After.all(List.of(0, 1))),
                                Flow.of(4, 3, 1000).startingAfter(After.sent(2)),
                                Flow.of(0, 2, 1000).startingAfter(either),
                                Flow.of(6, 7, 1000)
                                        .startingAfter(new After(List.of(), List.of(1), 1))),
                        without(5));

        assertThat(run.run(END_PS)).isFalse();
        assertThat(run.pending()).isZero();
        assertThat(run.failed()).singleElement().satisfies(it -> assertThat(it.flow()).isOne());
        assertThat(run.failed().getFirst().status()).isEqualTo(CompletionStatus.RETRY_EXCEEDED);
        assertThat(run.unstarted()).containsExactlyInAnyOrder(2, 3, 5);
        assertThat(run.startedPs(2)).isEqualTo(FlowRun.NOT_YET);
        assertThat(run.startedPs(4)).isEqualTo(run.endPs(0));
        assertThat(run.deliveredBytes(1)).isZero();
        assertThat(run.deliveredBytes()).isEqualTo(2000);
        assertThat(run.spanPs()).isEqualTo(run.failed().getFirst().timePs());
    }

    @Test
    void onlyPacketsThatHaveArrivedAreDelivered() {
        long tenth = 2 * FIRST_PS + 9 * NEXT_PS + 3 * D;
        FlowRun run = run(List.of(Flow.of(0, 1, 1 << 20)), _ -> {});

        assertThat(run.run(tenth - 1)).isFalse();
        assertThat(run.deliveredBytes(0)).isEqualTo(9 * 4096);
        assertThat(run.run(tenth)).isFalse();
        assertThat(run.deliveredBytes(0)).isEqualTo(10 * 4096);
        assertThat(run.spanPs()).isEqualTo(tenth);
        assertThat(run.run(END_PS)).isTrue();
        assertThat(run.deliveredBytes()).isEqualTo(1 << 20);
    }

    @Test
    void aByteThatArrivesTwiceIsDeliveredOnce() {
        BufferSettings small = new BufferSettings(100_000, 0, 0, 8192, 0, 0.25);
        Fabric fabric =
                new Fabric(
                        FatTree.single(4).topology(),
                        FabricSettings.ROCE.withKind(
                                FabricKind.Ethernet.DEFAULT.withBuffer(small)));
        List<Flow> flows = Patterns.incast(4, 3, 300_000);
        FlowRun run =
                new FlowRun(fabric, flows, it -> it.ackRequestEvery(1).windowPackets(1 << 20));

        assertThat(run.run(END_PS)).isTrue();
        assertThat(fabric.counts().drops()).isPositive();
        assertThat(run.deliveredBytes()).isEqualTo(900_000);
    }

    @Test
    void theSpanIsFromTheFirstStartToTheLastEnd() {
        FlowRun run =
                run(
                        Flow.of(0, 1, 1000).startingAt(2_000_000_000),
                        Flow.of(2, 3, 4096).startingAt(1_000_000_000));

        assertThat(run.spanPs()).isEqualTo(run.endPs(0) - 1_000_000_000);
        assertThat(run.endPs(1) - run.startedPs(1)).isEqualTo(2 * FIRST_PS + 3 * D + BACK_PS);
    }

    @Test
    void aFlowThatWaitsForAnUnknownFlowIsRefused() {
        assertThatThrownBy(
                        () -> run(List.of(Flow.of(0, 1, 1).startingAfter(After.sent(1))), _ -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("flow 0 waits for flow 1: use 0 to 0");
    }
}
