package dev.verbena.cli;

import dev.verbena.fabric.BufferSettings;
import dev.verbena.fabric.Cable;
import dev.verbena.fabric.FabricKind;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.Rate;
import picocli.CommandLine.Option;

/// The flags of `verbena sim` that describe the fabric.
final class SimFlags {
    private static final long PS_PER_NS = 1000;
    private static final int BLOCK = 64;

    /// What the fabric is.
    enum Kind {
        ROCE,
        IB
    }

    @Option(
            names = "--fabric",
            paramLabel = "KIND",
            description = "roce: Ethernet with pauses; ib: InfiniBand with credits (roce).")
    Kind kind = Kind.ROCE;

    @Option(names = "--hosts", paramLabel = "N", description = "Hosts (128).")
    int hosts = 128;

    @Option(names = "--tiers", paramLabel = "N", description = "Tiers of switches: 1, 2, 3 (2).")
    int tiers = 2;

    @Option(names = "--radix", paramLabel = "PORTS", description = "Ports of a switch (64).")
    int radix = 64;

    @Option(
            names = "--oversubscription",
            paramLabel = "RATIO",
            description = "Hosts of a leaf for each of its ways up (1).")
    double oversubscription = 1;

    @Option(names = "--rate", paramLabel = "GBITS", description = "Of every link, Gb/s (400).")
    long gbits = 400;

    @Option(names = "--length", paramLabel = "METRES", description = "Of every cable (20).")
    double metres = 20;

    @Option(
            names = "--switch-latency",
            paramLabel = "NS",
            description = "From arrival until a packet may leave (roce 500, ib 200; assumed).")
    long switchNs = -1;

    @Option(names = "--mtu", paramLabel = "BYTES", description = "Payload of a packet (4096).")
    int mtu = 4096;

    @Option(
            names = "--spread",
            paramLabel = "HOW",
            description = "roce: ecmp, or spray: every packet its own way (ecmp).")
    FabricKind.Spread spread = FabricKind.Spread.ECMP;

    @Option(
            names = "--buffer",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "roce: of a switch (64M); ib: of a lane of a port (64K).")
    long buffer = -1;

    @Option(
            names = "--xoff",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description =
                    "roce: of a priority of a port, above which its neighbour is paused "
                            + "(a quarter of what is free).")
    long xoff;

    @Option(names = "--lossy", description = "roce: drops instead of pauses.")
    boolean lossy;

    @Option(names = "--store-and-forward", description = "ib: switches wait for a packet's end.")
    boolean storeAndForward;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of everything that is by chance (1).")
    long seed = 1;

    FatTree tree() {
        return FatTree.ofRadix(hosts, tiers, radix, oversubscription);
    }

    FabricSettings settings() {
        FabricSettings base =
                switch (kind) {
                    case ROCE -> FabricSettings.ROCE.withKind(ethernet());
                    case IB -> FabricSettings.INFINIBAND.withKind(infiniBand());
                };
        long latencyPs = switchNs < 0 ? base.switchLatencyPs() : switchNs * PS_PER_NS;
        return base.withCable(Cable.ofMetres(Rate.gbits(gbits), metres))
                .withSwitchLatencyPs(latencyPs)
                .withMtu(mtu)
                .withSeed(seed);
    }

    private FabricKind ethernet() {
        FabricKind.Ethernet usual = (FabricKind.Ethernet) FabricSettings.ROCE.kind();
        BufferSettings before = usual.buffer();
        int threshold = (int) Math.min(xoff, Integer.MAX_VALUE / 2);
        BufferSettings shared =
                new BufferSettings(
                        buffer < 0 ? before.totalBytes() : buffer,
                        lossy ? 0 : before.lossless(),
                        threshold,
                        threshold > 0 ? threshold / 2 : before.xonBytes(),
                        before.headroomBytes(),
                        before.alpha());
        return usual.withBuffer(shared).withSpread(spread);
    }

    private FabricKind infiniBand() {
        FabricKind.InfiniBand usual = (FabricKind.InfiniBand) FabricSettings.INFINIBAND.kind();
        int blocks = buffer < 0 ? usual.bufferBlocks() : (int) (buffer / BLOCK);
        return usual.withBufferBlocks(blocks).withCutThrough(!storeAndForward);
    }
}
