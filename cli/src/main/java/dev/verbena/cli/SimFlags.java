package dev.verbena.cli;

import dev.verbena.fabric.BufferSettings;
import dev.verbena.fabric.Cable;
import dev.verbena.fabric.Chain;
import dev.verbena.fabric.FabricKind;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.Netfile;
import dev.verbena.fabric.NicProfile;
import dev.verbena.fabric.Rate;
import dev.verbena.fabric.Topology;
import dev.verbena.transport.PriorityMap;
import dev.verbena.transport.TransportOptions;
import dev.verbena.verbs.Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
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

    /// What adapters are like.
    enum NicKind {
        IDEAL,
        ADAPTER
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

    @Option(
            names = "--chain",
            paramLabel = "SWITCHES",
            description = "So many switches in a row instead of a tree.")
    int chain;

    @Option(
            names = "--topology",
            paramLabel = "FILE",
            description = "The fabric of a file, as ibnetdiscover prints it, instead of a tree.")
    @Nullable Path file;

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

    @Option(
            names = "--lossless",
            paramLabel = "PRIORITIES",
            split = ",",
            description = "roce: which are paused before they drop (all).")
    List<Integer> lossless = List.of(0, 1, 2, 3, 4, 5, 6, 7);

    @Option(
            names = "--dscp",
            paramLabel = "N",
            description = "roce: of all packets; NICs take the priority from it (N / 8).")
    int dscp = -1;

    @ArgGroup(exclusive = false)
    SimCongestion congestion = new SimCongestion();

    @Option(names = "--lossy", description = "roce: drops instead of pauses.")
    boolean lossy;

    @Option(names = "--store-and-forward", description = "ib: switches wait for a packet's end.")
    boolean storeAndForward;

    @Option(
            names = "--nic",
            paramLabel = "NAME",
            description =
                    "ideal: takes no time; adapter: 300 ns and 200 million packets a second, "
                            + "assumed (ideal).")
    NicKind nicKind = NicKind.IDEAL;

    @Option(
            names = "--nic-latency",
            paramLabel = "NS",
            description = "Of a NIC, for what is posted and for what comes (the NIC's).")
    long nicNs = -1;

    @Option(
            names = "--nic-rate",
            paramLabel = "MILLIONS",
            description = "Packets that a NIC makes in a second at most (the NIC's).")
    double nicMillions;

    @Option(
            names = "--ack-delay",
            paramLabel = "NS",
            description = "How long acknowledgements wait for others to join them (the NIC's).")
    long ackDelayNs = -1;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of everything that is by chance (1).")
    long seed = 1;

    Topology topology() throws IOException {
        if (file != null) {
            return Netfile.parse(file.getFileName().toString(), Files.readAllLines(file));
        }
        if (chain > 0) {
            return new Chain(chain, Math.ceilDiv(hosts, chain)).topology();
        }
        return FatTree.ofRadix(hosts, tiers, radix, oversubscription).topology();
    }

    boolean isFile() {
        return file != null;
    }

    private NicProfile nic() {
        NicProfile usual =
                switch (nicKind) {
                    case IDEAL -> NicProfile.IDEAL;
                    case ADAPTER -> NicProfile.ADAPTER_400G;
                };
        return new NicProfile(
                nicNs < 0 ? usual.sendPs() : nicNs * PS_PER_NS,
                nicNs < 0 ? usual.receivePs() : nicNs * PS_PER_NS,
                nicMillions > 0 ? Math.round(1e6 / nicMillions) : usual.packetGapPs(),
                ackDelayNs < 0 ? usual.acknowledgeNs() : ackDelayNs);
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
                .withNic(nic())
                .withSeed(seed);
    }

    private FabricKind ethernet() {
        FabricKind.Ethernet usual = (FabricKind.Ethernet) FabricSettings.ROCE.kind();
        BufferSettings before = usual.buffer();
        int threshold = (int) Math.min(xoff, Integer.MAX_VALUE / 2);
        BufferSettings shared =
                new BufferSettings(
                        buffer < 0 ? before.totalBytes() : buffer,
                        lossy ? 0 : bits(lossless),
                        threshold,
                        threshold > 0 ? threshold / 2 : before.xonBytes(),
                        before.headroomBytes(),
                        before.alpha());
        return usual.withBuffer(shared)
                .withSpread(spread)
                .withMarking(congestion.marking(Rate.gbits(gbits)))
                .withPriorities(dscp < 0 ? PriorityMap.BY_SERVICE_LEVEL : PriorityMap.BY_DSCP);
    }

    private static int bits(List<Integer> priorities) {
        int bits = 0;
        for (int priority : priorities) {
            if (priority < 0 || priority > 7) {
                throw new IllegalArgumentException(
                        "--lossless %d: priorities are 0 to 7".formatted(priority));
            }
            bits |= 1 << priority;
        }
        return bits;
    }

    /// What every device is made with.
    void apply(TransportOptions options) {
        congestion.apply(options, Rate.gbits(gbits));
    }

    /// Where connections lead.
    Address address(Address peer) {
        return dscp < 0 ? peer : peer.withTrafficClass(dscp << 2);
    }

    private FabricKind infiniBand() {
        FabricKind.InfiniBand usual = (FabricKind.InfiniBand) FabricSettings.INFINIBAND.kind();
        int blocks = buffer < 0 ? usual.bufferBlocks() : (int) (buffer / BLOCK);
        return usual.withBufferBlocks(blocks).withCutThrough(!storeAndForward);
    }
}
