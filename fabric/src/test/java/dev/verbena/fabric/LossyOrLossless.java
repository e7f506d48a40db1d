package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// IRN's comparison (SIGCOMM 2018): messages of very different sizes at a load of 0.7, over
/// switches that pause with connections that go back, and over switches that drop with connections
/// that repeat only what is lost and have at most a pipe in flight. None controls congestion. For
/// [RoutingValidation].
final class LossyOrLossless {
    private static final int HOSTS = 128;
    private static final int FLOWS = 2_000;
    private static final double LOAD = 0.7;
    private static final double BITS_PER_PS = 0.4;

    /// 12 us at 400 Gb/s, in packets.
    private static final int PIPE = 150;

    /// 4.096 us times 32: IRN's longer timer is 320 us, its shorter one 100 us.
    private static final int TIMEOUT = 5;

    private LossyOrLossless() {}

    /// Half of the messages fit into a packet, and the others are of up to 3 MB.
    private static List<Flow> messages(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Flow> flows = new ArrayList<>(FLOWS);
        double bytes = 0;
        for (int i = 0; i < FLOWS; i++) {
            int from = random.nextInt(HOSTS);
            int to = (from + 1 + random.nextInt(HOSTS - 1)) % HOSTS;
            double most = random.nextBoolean() ? 1_000 : 3_000_000;
            double least = most == 1_000 ? 32 : 1_000;
            long size = (long) (least * Math.pow(most / least, random.nextDouble()));
            bytes += size;
            flows.add(Flow.of(from, to, size));
        }
        double meanPs = bytes / FLOWS * Byte.SIZE / BITS_PER_PS / LOAD / HOSTS;
        double atPs = 0;
        for (int i = 0; i < FLOWS; i++) {
            atPs -= Math.log(1 - random.nextDouble()) * meanPs;
            flows.set(i, flows.get(i).startingAt((long) atPs));
        }
        return flows;
    }

    /// The mean time of a message, in microseconds: with pauses, or in IRN's way.
    private static double meanUs(boolean isLossless, long seed) {
        FabricKind.Ethernet kind = FabricKind.Ethernet.DEFAULT;
        BufferSettings buffer =
                new BufferSettings(
                        8 << 20,
                        isLossless ? 0xFF : 0,
                        0,
                        8192,
                        isLossless ? BufferSettings.AS_THE_CABLE_NEEDS : 0,
                        0.25);
        Fabric fabric =
                new Fabric(
                        Anchor.tree128(),
                        FabricSettings.ROCE
                                .withCable(new Cable(FabricSettings.ROCE.cable().rate(), 500_000))
                                .withSeed(seed)
                                .withKind(kind.withBuffer(buffer)));
        FlowRun run =
                new FlowRun(
                        fabric,
                        messages(seed),
                        it ->
                                it.selectiveRepeat(!isLossless)
                                        .ackRequestEvery(1)
                                        .windowPackets(isLossless ? 1 << 20 : PIPE),
                        it -> it.timeout(TIMEOUT));
        assertThat(run.run(1_000_000_000_000L)).isTrue();
        double sum = 0;
        for (long time : run.timesPs()) {
            sum += time;
        }
        FabricCounts counts = fabric.counts();
        assertThat(isLossless ? counts.pauses() : counts.drops()).isPositive();
        assertThat(isLossless ? counts.drops() : counts.pauses()).isZero();
        return sum / FLOWS / 1e6;
    }

    /// By how many parts of a hundred the mean time is shorter where switches drop.
    static double gain() {
        return 100 * (1 - meanUs(false, 1) / meanUs(true, 1));
    }
}
