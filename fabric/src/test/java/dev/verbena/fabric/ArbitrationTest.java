package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fabric.VlArbitration.Entry;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Four senders in three lanes to one receiver: the switch's port to him chooses.
class ArbitrationTest {
    private static final int RECEIVER = 4;

    /// Packets that each lane had sent of so many in all, long before any of them runs dry.
    static long[] shares(VlArbitration tables, int packets) {
        FabricKind.InfiniBand kind =
                FabricKind.InfiniBand.DEFAULT
                        .withCutThrough(false)
                        .withLanes(LaneMap.modulo(3))
                        .withBufferBlocks(2000)
                        .withUpdateBlocks(1)
                        .withArbitration(tables);
        Fabric fabric = new Fabric(FatTree.single(5).topology(), Anchor.infiniBand(kind));
        Stream stream = new Stream(fabric);
        for (int host = 0; host < RECEIVER; host++) {
            // Two of them in the first lane: one alone would send no faster than it is served.
            stream.send(host, RECEIVER, host % 3, packets, 0);
        }
        InfiniBandPort port = ((InfiniBandSwitch) fabric.node(5)).port(RECEIVER);
        // Until all lanes have something waiting.
        fabric.run(2_000_000);
        long[] before = port.sentByLane();
        fabric.run(2_000_000 + packets * Anchor.P);
        long[] after = port.sentByLane();
        long[] sent = new long[3];
        for (int i = 0; i < 3; i++) {
            sent[i] = after[i] - before[i];
        }
        return sent;
    }

    @Test
    void lanesThatWaitHaveTheSharesOfTheirWeights() {
        VlArbitration tables =
                new VlArbitration(
                        List.of(),
                        List.of(new Entry(0, 65), new Entry(1, 130), new Entry(2, 195)),
                        255);
        long[] sent = shares(tables, 1200);

        assertThat(sent[0] + sent[1] + sent[2]).isEqualTo(1200);
        assertThat(sent[0]).isBetween(199L, 201L);
        assertThat(sent[1]).isBetween(398L, 402L);
        assertThat(sent[2]).isBetween(597L, 603L);
    }

    @Test
    void aWeightThatEndsWithinAPacketCountsAsAWholeOne() {
        VlArbitration tables =
                new VlArbitration(
                        List.of(),
                        List.of(new Entry(0, 1), new Entry(1, 66), new Entry(2, 64)),
                        255);
        long[] sent = shares(tables, 1200);

        assertThat(sent[0]).isBetween(299L, 301L);
        assertThat(sent[1]).isBetween(598L, 602L);
        assertThat(sent[2]).isBetween(299L, 301L);
    }

    @Test
    void theHighTableGoesFirstAndItsLimitLetsTheLowOneThrough() {
        VlArbitration endless =
                new VlArbitration(
                        List.of(new Entry(0, 65)),
                        List.of(new Entry(1, 65), new Entry(2, 65)),
                        255);
        assertThat(shares(endless, 1000)).containsExactly(1000, 0, 0);

        // Eight units of 4,096 bytes are used up by the eighth packet of 4,160.
        VlArbitration limited =
                new VlArbitration(
                        List.of(new Entry(0, 65)), List.of(new Entry(1, 65), new Entry(2, 65)), 8);
        long[] sent = shares(limited, 900);
        assertThat(sent[0]).isBetween(799L, 801L);
        assertThat(sent[1]).isBetween(49L, 51L);
        assertThat(sent[2]).isBetween(49L, 51L);

        VlArbitration alternating =
                new VlArbitration(List.of(new Entry(0, 65)), List.of(new Entry(1, 65)), 0);
        sent = shares(alternating, 1000);
        assertThat(sent[0]).isBetween(499L, 501L);
        assertThat(sent[1]).isBetween(499L, 501L);
    }
}
