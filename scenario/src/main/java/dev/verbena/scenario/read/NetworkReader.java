package dev.verbena.scenario.read;

import dev.verbena.fabric.Cable;
import dev.verbena.fabric.CablePlan;
import dev.verbena.fabric.Chain;
import dev.verbena.fabric.Ets;
import dev.verbena.fabric.FabricKind;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.Flow;
import dev.verbena.fabric.Framing;
import dev.verbena.fabric.Marking;
import dev.verbena.fabric.Netfile;
import dev.verbena.fabric.NicModel;
import dev.verbena.fabric.Patterns;
import dev.verbena.fabric.Rate;
import dev.verbena.fabric.Routing;
import dev.verbena.fabric.Topology;
import dev.verbena.fabric.Workload;
import dev.verbena.plan.Catalog;
import dev.verbena.plan.FabricPlan;
import dev.verbena.plan.Inputs;
import dev.verbena.plan.Plan;
import dev.verbena.plan.PlanException;
import dev.verbena.plan.Settings;
import dev.verbena.scenario.CongestionKnobs;
import dev.verbena.scenario.FabricKnobs;
import dev.verbena.scenario.Network;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Icrc;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads the topology and the knobs of a scenario.
final class NetworkReader {
    private static final int RADIX = 64;
    private static final int METRES = 20;
    private static final Cable USUAL_CABLE = Cable.ofMetres(Rate.gbits(400), METRES);
    private static final int MTU = 4096;
    private static final int QP_TIMEOUT = 14;
    private static final String CREDITS =
            "InfiniBand switches give credits; they do not pause, mark or drop";
    private static final Map<String, String> ROCE_ONLY =
            Map.of(
                    "routing",
                    "InfiniBand routes depend on the destination alone",
                    "buffer",
                    "InfiniBand switches have vl_buffer",
                    "pfc",
                    CREDITS,
                    "pfc_priorities",
                    CREDITS,
                    "xoff",
                    CREDITS,
                    "headroom",
                    CREDITS,
                    "congestion_control",
                    "InfiniBand's own control is not simulated",
                    "cc_parameters",
                    "InfiniBand's own control is not simulated",
                    "ecn",
                    CREDITS,
                    "ets",
                    "InfiniBand's lanes have equal shares here");

    private final Section root;
    private final Section fabric;
    private final Section shape;
    private final ScenarioReader.Files files;
    private final boolean isInfiniBand;
    private double watts;

    NetworkReader(Section root, ScenarioReader.Files files) {
        this.root = root;
        this.files = files;
        fabric = root.section("fabric");
        shape = root.section("topology");
        isInfiniBand = fabric.text("kind", "roce").equals("ib");
    }

    Optional<Topology> topology() {
        Topology made = null;
        if (shape.has("fat_tree")) {
            made = shape.<@Nullable Topology>made("fat_tree", null, this::fatTree);
        } else if (shape.has("switch")) {
            int hosts = shape.section("switch").integer("hosts", 0);
            made =
                    hosts > 0
                            ? shape.<@Nullable Topology>made(
                                    "switch", null, () -> FatTree.single(hosts).topology())
                            : null;
        } else if (shape.has("chain")) {
            Section chain = shape.section("chain");
            int switches = chain.integer("switches", 0);
            int hosts = chain.integer("hosts", 0);
            made =
                    switches > 0 && hosts > 0
                            ? shape.<@Nullable Topology>made(
                                    "chain", null, () -> new Chain(switches, hosts).topology())
                            : null;
        } else if (shape.has("file")) {
            String name = shape.text("file", "");
            made =
                    shape.<@Nullable Topology>made(
                            "file", null, () -> Netfile.parse(name, files.lines(name)));
        } else if (shape.node("plan").isObject() && shape.has("plan")) {
            made = plan();
        }
        return Optional.ofNullable(made).map(it -> shape.made("cables", it, () -> withCables(it)));
    }

    private @Nullable Topology fatTree() {
        Section tree = shape.section("fat_tree");
        int hosts = tree.integer("hosts", 0);
        int radix = tree.integer("radix", RADIX);
        double ratio = tree.ratio("oversubscription", 1);
        if (hosts < 1) {
            return null;
        }
        try {
            return tree.has("tiers")
                    ? FatTree.ofRadix(hosts, tree.integer("tiers", 1), radix, ratio).topology()
                    : FatTree.ofRadix(hosts, radix, ratio).topology();
        } catch (IllegalArgumentException tooLarge) {
            throw new IllegalArgumentException(
                    tooLarge.getMessage() + "; use fewer hosts, a larger radix or more tiers",
                    tooLarge);
        }
    }

    private @Nullable Topology plan() {
        Settings settings = new Settings();
        for (Map.Entry<String, JsonNode> each : shape.node("plan").properties()) {
            settings.put(each.getKey(), each.getValue().asString(), each.getKey());
        }
        settings.put("fabric", isInfiniBand ? "ib" : "roce", "fabric");
        try {
            FabricPlan made = Plan.of(Inputs.of(settings), Catalog.builtIn()).fabrics().getFirst();
            if (made.bill().typicalWatts() != null) {
                watts = made.bill().typicalWatts().low() / made.planes().size();
            }
            return made.topology(0);
        } catch (PlanException refused) {
            shape.wrongKey("plan", String.valueOf(refused.getMessage()));
            return null;
        }
    }

    private Topology withCables(Topology topology) {
        Section cables = shape.section("cables");
        CablePlan plan = CablePlan.USUAL;
        if (cables.has("uplink_rate")) {
            plan = plan.withRate(cables.rate("uplink_rate", Rate.gbits(400)));
        }
        if (cables.has("uplink_length")) {
            plan = plan.withMetres(cables.metres("uplink_length", METRES));
        }
        return plan.equals(CablePlan.USUAL) ? topology : topology.withUplinks(plan);
    }

    Optional<Network> network(Topology topology, List<Workload> flows) {
        Network made =
                root.<@Nullable Network>made("fabric", null, () -> network(knobs(flows), topology));
        return Optional.ofNullable(made);
    }

    private Network network(FabricKnobs knobs, Topology topology) {
        FabricSettings settings = knobs.settings(topology);
        CongestionKnobs congestion =
                knobs.kind() instanceof FabricKnobs.Roce roce
                        ? roce.congestion()
                        : CongestionKnobs.NONE;
        var line = knobs.line(topology, settings);
        congestion.inForce(line); // refuses parameters that are not known
        int timeout = fabric.integer("qp_timeout", QP_TIMEOUT);
        return new Network(topology, settings, line, congestion, timeout, watts);
    }

    FabricKnobs knobs(List<Workload> flows) {
        Section cables = shape.section("cables");
        Rate rate = cables.rate("rate", Rate.gbits(400));
        double metres = cables.metres("length", METRES);
        NicModel nic = NicModel.of(fabric.text("nic", "ideal")).orElse(NicModel.IDEAL);
        List<Integer> classes = classes(flows);
        refuseOtherKind();
        Cable cable = shape.made("cables", USUAL_CABLE, () -> Cable.ofMetres(rate, metres));
        return new FabricKnobs(
                cable,
                fabric.ps("switch_latency", FabricKnobs.USUAL),
                fabric.integer("mtu", MTU),
                nic.profile(),
                root.whole("seed", 1),
                isInfiniBand
                        ? new FabricKnobs.InfiniBand(
                                fabric.bytes("vl_buffer", FabricKnobs.USUAL),
                                fabric.isTrue("cut_through", true),
                                classes.size() > 1,
                                Routing.FIXED)
                        : roce(classes));
    }

    private FabricKnobs.Roce roce(List<Integer> classes) {
        boolean isPaused = fabric.isTrue("pfc", true);
        List<Integer> paused = classes.isEmpty() ? List.of(0) : classes;
        if (fabric.has("pfc_priorities")) {
            paused = fabric.node("pfc_priorities").valueStream().map(it -> it.asInt(0)).toList();
        }
        return new FabricKnobs.Roce(
                Routing.of(FabricKind.Spread.valueOf(word("routing", "ecmp"))),
                fabric.bytes("buffer", FabricKnobs.USUAL),
                isPaused ? paused : List.of(),
                fabric.bytes("xoff", 0),
                (int) Math.min(Integer.MAX_VALUE, fabric.bytes("headroom", FabricKnobs.USUAL)),
                ets(),
                false,
                congestion());
    }

    private String word(String key, String usual) {
        String word = fabric.text(key, usual).toUpperCase(Locale.ROOT);
        boolean isKnown =
                Arrays.stream(FabricKind.Spread.values()).anyMatch(it -> it.name().equals(word));
        return isKnown ? word : usual.toUpperCase(Locale.ROOT);
    }

    private CongestionKnobs congestion() {
        String name = fabric.text("congestion_control", CongestionKnobs.OFF);
        Map<String, Double> parameters = new TreeMap<>();
        for (Map.Entry<String, JsonNode> each : fabric.node("cc_parameters").properties()) {
            parameters.put(each.getKey(), each.getValue().asDouble(0));
        }
        Section ecn = fabric.section("ecn");
        Marking marks =
                fabric.has("ecn")
                        ? fabric.<@Nullable Marking>made(
                                "ecn",
                                null,
                                () ->
                                        new Marking(
                                                clamped(ecn.bytes("kmin", 0)),
                                                clamped(ecn.bytes("kmax", 1)),
                                                ecn.number("pmax", 1)))
                        : null;
        return new CongestionKnobs(name, parameters, marks);
    }

    private static int clamped(long bytes) {
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    private Ets ets() {
        Integer[] shares = Ets.EQUAL.shares().toArray(Integer[]::new);
        for (Map.Entry<String, JsonNode> each : fabric.node("ets").properties()) {
            if (each.getKey().matches("[0-7]")) {
                shares[Integer.parseInt(each.getKey())] = each.getValue().asInt(1);
            }
        }
        return new Ets(0, List.of(shares));
    }

    /// The classes of RDMA workloads; those of TCP alone may lose packets.
    private static List<Integer> classes(List<Workload> flows) {
        return flows.stream()
                .filter(it -> it.protocol() == Workload.Protocol.RDMA)
                .flatMap(it -> it.flows().stream())
                .map(Flow::level)
                .distinct()
                .toList();
    }

    private void refuseOtherKind() {
        if (isInfiniBand) {
            ROCE_ONLY.forEach(
                    (key, reason) -> refuse(key, "with kind ib: " + reason + "; leave it out"));
            return;
        }
        for (String key : List.of("vl_buffer", "cut_through")) {
            refuse(key, "with kind roce: it is a knob of InfiniBand; leave it out");
        }
        if (!fabric.isTrue("pfc", true)) {
            for (String key : List.of("pfc_priorities", "xoff", "headroom")) {
                refuse(key, "with pfc: false, because no priority is paused; leave it out");
            }
        }
        if (fabric.text("congestion_control", CongestionKnobs.OFF).equals(CongestionKnobs.OFF)) {
            for (String key : List.of("ecn", "cc_parameters")) {
                refuse(key, "without congestion control; add congestion_control: production");
            }
        }
    }

    private void refuse(String key, String why) {
        if (fabric.has(key)) {
            fabric.wrongKey(key, "it has no effect " + why);
        }
    }

    /// Hosts that all start in the same instant send in step, which is no network that exists.
    List<Workload> jittered(List<Workload> flows, Network network) {
        FabricSettings made = network.settings();
        Framing framing = made.framing();
        int transport = Bth.LENGTH + made.mtu() + Icrc.LENGTH;
        long packetPs = made.cable().rate().ps(framing.wireBytes(transport, made.mtu(), false));
        long withinPs = fabric.ps("jitter", packetPs);
        return fabric.made(
                "jitter",
                flows,
                () ->
                        flows.stream()
                                .map(
                                        it ->
                                                new Workload(
                                                        it.name(),
                                                        Patterns.jittered(
                                                                it.flows(), withinPs, made.seed()),
                                                        it.protocol()))
                                .toList());
    }
}
