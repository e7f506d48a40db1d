package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/// The setting of the closed forms: 64 bytes around every payload, 400 Gb/s, half a microsecond for
/// each link and each switch, an acknowledgement for every packet.
final class Anchor {
    static final int PAYLOAD = 4096;

    /// 4,160 bytes at 20 ps.
    static final long P = 83_200;

    /// 64 bytes: an acknowledgement, or a pause. Frames with credits have the cable's delay only.
    static final long A = 1_280;

    static final long D = 500_000;

    static final int BLOCKS = 65;

    private static final long END_PS = 1_000_000_000_000L;

    private Anchor() {}

    static FabricSettings ethernet() {
        BufferSettings buffer =
                BufferSettings.fixed(120 * 4160, 100 * 4160, BufferSettings.UNLIMITED);
        return FabricSettings.ROCE
                .withFraming(new Framing.Flat(64, 64))
                .withKind(FabricKind.Ethernet.DEFAULT.withBuffer(buffer));
    }

    static FabricSettings infiniBand() {
        return infiniBand(
                FabricKind.InfiniBand.DEFAULT
                        .withCutThrough(false)
                        .withUpdateBlocks(BLOCKS)
                        .withBufferBlocks(2048));
    }

    static FabricSettings infiniBand(FabricKind.InfiniBand kind) {
        return FabricSettings.INFINIBAND
                .withFraming(new Framing.Flat(64, 0))
                .withSwitchLatencyPs(D)
                .withKind(kind);
    }

    static Topology tree128() {
        return FatTree.threeTiers(4, 8).topology();
    }

    static Flow packets(int source, int destination, int packets) {
        return Flow.of(source, destination, (long) packets * PAYLOAD);
    }

    static FlowRun run(Fabric fabric, List<Flow> flows) {
        FlowRun run =
                new FlowRun(fabric, flows, it -> it.ackRequestEvery(1).windowPackets(1 << 20));
        assertThat(run.run(END_PS)).as("all flows end").isTrue();
        return run;
    }
}
