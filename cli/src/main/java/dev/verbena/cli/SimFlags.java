package dev.verbena.cli;

import dev.verbena.fabric.Chain;
import dev.verbena.fabric.Ets;
import dev.verbena.fabric.FabricKind;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.Flow;
import dev.verbena.fabric.Netfile;
import dev.verbena.fabric.NicModel;
import dev.verbena.fabric.NicProfile;
import dev.verbena.fabric.Shape;
import dev.verbena.fabric.Thresholds;
import dev.verbena.fabric.Topology;
import dev.verbena.fabric.Workload;
import dev.verbena.scenario.FabricKnobs;
import dev.verbena.transport.TransportOptions;
import dev.verbena.transport.control.ControlFacts;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Icrc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/// The flags of `verbena sim` that describe the fabric.
final class SimFlags {
    private static final long PS_PER_NS = 1000;
    private static final int DSCP_MAX = 63;
    private static final int SECOND_LANES = 4;
    private static final int DSCP_PER_PRIORITY = 8;

    /// The kind of fabric.
    enum Kind {
        ROCE,
        IB
    }

    @Option(
            names = "--fabric",
            paramLabel = "KIND",
            description =
                    "roce: Ethernet with pause frames; ib: InfiniBand with " + "credits (roce).")
    Kind kind = Kind.ROCE;

    @Option(names = "--hosts", paramLabel = "N", description = "Hosts (128).")
    int hosts = 128;

    @Option(
            names = "--tiers",
            paramLabel = "N",
            description = "Tiers of switches: 1, 2 or 3 (the fewest with room for the hosts).")
    @Nullable Integer tiers;

    @Option(names = "--radix", paramLabel = "PORTS", description = "Ports of a switch (64).")
    int radix = 64;

    @Option(
            names = "--oversubscription",
            paramLabel = "RATIO",
            converter = Ratio.class,
            description = "Hosts of a leaf for each of its uplinks, at most, as 2:1 or 2 (1:1).")
    double oversubscription = 1;

    @Option(
            names = "--chain",
            paramLabel = "SWITCHES",
            description = "Number of switches in a row, instead of a tree.")
    int chain;

    @Option(
            names = "--topology",
            paramLabel = "FILE",
            description =
                    "Instead of a tree: a file in ibnetdiscover's form, torus:4x4x4, or"
                            + " dragonfly:2x4x2 (hosts of a switch, switches of a group, cables of"
                            + " a switch to other groups).")
    @Nullable Path file;

    @Option(
            names = "--one-lane",
            description =
                    "torus, dragonfly: packets stay in the lane of their class, and may wait for"
                            + " each other in a circle.")
    boolean isOneLane;

    /// Whether packets of a class use a second lane too.
    private boolean changesLanes;

    @ArgGroup(exclusive = false)
    SimCables cables = new SimCables();

    @Option(
            names = "--switch-latency",
            paramLabel = "NS",
            description =
                    "Time from the arrival of a packet at a switch until it "
                            + "can leave, in nanoseconds (roce 500, ib 200; assumed).")
    long switchNs = -1;

    @Option(
            names = "--mtu",
            paramLabel = "BYTES",
            converter = ByteCount.Small.class,
            description = "Largest payload of a packet (4096).")
    int mtu = 4096;

    @ArgGroup(exclusive = false)
    SimRouting routing = new SimRouting();

    @Option(
            names = "--buffer",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description =
                    "roce: buffer of a switch (64M); ib: buffer of one lane of "
                            + "one port (64K).")
    long buffer = -1;

    @Option(
            names = "--xoff",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description =
                    "roce: bytes of one priority of one port above which the "
                            + "neighbour is paused (a quarter of the free buffer).")
    long xoff;

    @Option(
            names = "--lossless",
            paramLabel = "PRIORITIES",
            split = ",",
            description =
                    "roce: priorities that are paused before they drop (that of the packets).")
    @Nullable List<Integer> lossless;

    @Option(
            names = "--ets",
            paramLabel = "CLASS=SHARE",
            split = ",",
            description =
                    "roce: shares of a link by class, 1 to 100, where several have packets to "
                            + "send, as 0=3,1=1 (all 1).")
    Map<Integer, Integer> shares = new TreeMap<>();

    @Option(
            names = "--headroom",
            paramLabel = "BYTES",
            converter = ByteCount.Small.class,
            description =
                    "roce: room of each lossless priority of each port for packets that arrive "
                            + "after its neighbour was paused (what rate, length and MTU need).")
    @Nullable Integer headroom;

    @Option(
            names = "--dscp",
            paramLabel = "N",
            description =
                    "roce: DSCP of all packets; their priority is DSCP / 8 (no "
                            + "DSCP, priority 0).")
    @Nullable Integer dscp;

    @ArgGroup(exclusive = false)
    SimCongestion congestion = new SimCongestion();

    @Option(
            names = "--lossy",
            description = "roce: switches drop packets instead of sending pause frames.")
    boolean lossy;

    @Option(
            names = "--store-and-forward",
            description = "ib: switches forward a packet after its last byte has " + "arrived.")
    boolean storeAndForward;

    @Option(
            names = "--nic",
            paramLabel = "NAME",
            description =
                    "NIC model. ideal: adds no time; adapter: 300 ns and 200 million packets per"
                            + " second, assumed; connectx-3-pro, connectx-4 to connectx-7: by data"
                            + " sheet, and 170 ns on each side for the host, assumed (ideal).")
    NicModel nicModel = NicModel.IDEAL;

    @Option(
            names = "--nic-latency",
            paramLabel = "NS",
            description =
                    "Time in a NIC for a posted request and for a received "
                            + "packet, in nanoseconds (as --nic).")
    long nicNs = -1;

    @Option(
            names = "--nic-rate",
            paramLabel = "MILLIONS",
            description = "Packet rate of a NIC in millions per second (as --nic).")
    double nicMillions;

    @Option(
            names = "--ack-delay",
            paramLabel = "NS",
            description =
                    "Time that an acknowledgement waits for others to join it, "
                            + "in nanoseconds (as --nic).")
    long ackDelayNs = -1;

    @Option(
            names = "--qp-timeout",
            paramLabel = "N",
            description =
                    "Time until a queue pair sends again what was not answered: 4.096 us * 2^N "
                            + "(14: 67 ms).")
    int qpTimeout = 14;

    private List<Workload> ofWorkloads = List.of();

    @Option(names = "--seed", paramLabel = "N", description = "Seed of all random choices (1).")
    long seed = 1;

    Topology topology() throws IOException {
        Topology made = cables.between(shape());
        if (isOneLane && !made.changesLanes()) {
            throw new IllegalArgumentException(
                    "--one-lane has no effect without cycles: it is for --topology torus: and"
                            + " dragonfly:");
        }
        changesLanes = made.changesLanes();
        return isOneLane ? made.inOneLane() : made;
    }

    private Topology shape() throws IOException {
        if (file != null) {
            Optional<Topology> known = Shape.parse(file.toString());
            if (known.isPresent()) {
                return known.get();
            }
            return Netfile.parse(file.getFileName().toString(), Files.readAllLines(file));
        }
        if (chain > 0) {
            return new Chain(chain, hosts).topology();
        }
        if (tiers == null) {
            return FatTree.ofRadix(hosts, radix, oversubscription).topology();
        }
        return FatTree.ofRadix(hosts, tiers, radix, oversubscription).topology();
    }

    private NicProfile nic() {
        NicProfile usual = nicModel.profile();
        return new NicProfile(
                nicNs < 0 ? usual.sendPs() : nicNs * PS_PER_NS,
                nicNs < 0 ? usual.receivePs() : nicNs * PS_PER_NS,
                nicMillions > 0 ? Math.round(1e6 / nicMillions) : usual.packetGapPs(),
                ackDelayNs < 0 ? usual.acknowledgeNs() : ackDelayNs);
    }

    FabricSettings settings(Topology topology) {
        return knobs().settings(topology);
    }

    private FabricKnobs knobs() {
        return new FabricKnobs(
                cables.usual(),
                switchNs < 0 ? FabricKnobs.USUAL : switchNs * PS_PER_NS,
                mtu,
                nic(),
                seed,
                switch (kind) {
                    case ROCE -> ethernet();
                    case IB ->
                            new FabricKnobs.InfiniBand(
                                    buffer,
                                    !storeAndForward,
                                    rdmaClasses().size() > 1,
                                    routing.routing(kind));
                });
    }

    /// What congestion control knows of hosts.
    ControlFacts line(Topology topology, FabricSettings made) {
        return knobs().line(topology, made);
    }

    /// Time of a packet with a full payload on a link.
    static long packetPs(FabricSettings made) {
        int transport = Bth.LENGTH + made.mtu() + Icrc.LENGTH;
        int bytes = made.framing().wireBytes(transport, made.mtu(), false);
        return made.cable().rate().ps(bytes);
    }

    private FabricKnobs.Roce ethernet() {
        if (dscp != null && (dscp < 0 || dscp > DSCP_MAX)) {
            throw new IllegalArgumentException("--dscp %d: use 0 to %d".formatted(dscp, DSCP_MAX));
        }
        return new FabricKnobs.Roce(
                routing.routing(kind),
                buffer,
                lossy ? List.of() : withSecondLanes(checked(losslessPriorities())),
                xoff,
                headroom == null ? FabricKnobs.USUAL : headroom,
                ets(),
                dscp != null,
                congestion.knobs());
    }

    private Ets ets() {
        Integer[] all = Ets.EQUAL.shares().toArray(Integer[]::new);
        shares.forEach(
                (priority, share) -> {
                    if (priority < 0 || priority >= all.length || share < 1 || share > 100) {
                        throw new IllegalArgumentException(
                                "--ets %d=%d: classes are 0 to 7, shares 1 to 100"
                                        .formatted(priority, share));
                    }
                    all[priority] = share;
                });
        return new Ets(0, List.of(all));
    }

    /// Takes the traffic classes of workloads into account.
    void classes(List<Workload> workloads) {
        ofWorkloads = workloads;
        for (int used : rdmaClasses()) {
            if (changesLanes && used >= SECOND_LANES) {
                throw new IllegalArgumentException(
                        "class=%d is a second lane on this topology: use classes 0 to 3"
                                .formatted(used));
            }
        }
    }

    /// The classes of RDMA workloads; those of TCP alone may lose packets.
    private List<Integer> rdmaClasses() {
        return ofWorkloads.stream()
                .filter(it -> it.protocol() == Workload.Protocol.RDMA)
                .flatMap(it -> it.flows().stream())
                .map(Flow::level)
                .distinct()
                .toList();
    }

    private List<Integer> losslessPriorities() {
        if (lossless != null) {
            return lossless;
        }
        if (!ofWorkloads.isEmpty()) {
            return rdmaClasses();
        }
        return List.of(dscp == null ? 0 : dscp / DSCP_PER_PRIORITY);
    }

    /// A class has a second lane four above it where packets change lanes.
    private List<Integer> withSecondLanes(List<Integer> priorities) {
        if (!changesLanes) {
            return priorities;
        }
        List<Integer> all = new ArrayList<>(priorities);
        for (int priority : priorities) {
            if (priority >= SECOND_LANES) {
                throw new IllegalArgumentException(
                        "priority %d is a second lane on this topology: use classes 0 to 3"
                                .formatted(priority));
            }
            all.add(priority + SECOND_LANES);
        }
        return all;
    }

    private static List<Integer> checked(List<Integer> priorities) {
        for (int priority : priorities) {
            if (priority < 0 || priority > 7) {
                throw new IllegalArgumentException(
                        "--lossless %d: priorities are 0 to 7".formatted(priority));
            }
        }
        return priorities;
    }

    /// The word that stands for a value on the command line.
    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /// What the user should know of these flags, although they can be obeyed.
    Optional<String> warning(FabricSettings made) {
        int needed = made.neededHeadroom();
        if (headroom != null && headroom < needed) {
            return Optional.of(
                    ("--headroom %,d is less than the %,d bytes that may arrive after a pause: "
                                    + "a lossless priority may drop packets")
                            .formatted(headroom, needed));
        }
        if (!congestion.isOn()) {
            return Optional.empty();
        }
        Optional<String> first = congestion.warning(made.cable().rate());
        return first.isPresent() ? first : pausesFirst(made);
    }

    private Optional<String> pausesFirst(FabricSettings made) {
        FabricKind.Ethernet kind = (FabricKind.Ethernet) made.kind();
        // Two inputs are the fewest that can fill an output.
        double pauses = Thresholds.pausesFrom(kind.buffer(), 2);
        int marks = kind.marking().leastBytes();
        return lossy || pauses > marks
                ? Optional.empty()
                : Optional.of(
                        "switches pause from %,.0f bytes in a queue of two inputs, before they"
                                        .formatted(pauses)
                                + " mark, from %,d: use a larger --xoff, or --mark"
                                        .formatted(marks));
    }

    /// Sets the options of every device.
    ///
    /// @param line rate of hosts
    void apply(TransportOptions options, ControlFacts line) {
        congestion.apply(options, line);
    }

    /// Gives a connection the DSCP of `--dscp`.
    void connect(QueuePairAttributes connection) {
        if (dscp != null) {
            connection.address(connection.address().withTrafficClass(dscp << 2));
        }
        connection.timeout(qpTimeout);
    }
}
