package dev.verbena.plan;

import java.util.List;
import java.util.function.Function;

/// A published design, the rule that leads to it, and what the planner makes of the rule.
///
/// @param source who published it, with its mark
/// @param rule inputs in one line
/// @param published what the source says, in the words of `planned`
/// @param planned what the plan says
/// @param note what differs, or empty
record Anchor(
        String cluster,
        String source,
        String rule,
        String published,
        Function<FabricPlan, String> planned,
        String note) {

    static final List<Anchor> COUNTS =
            List.of(
                    superPod("SuperPOD B200, 1 SU", 31, 4, "8 + 4, cables 252 + 256"),
                    superPod("SuperPOD B200, 4 SU", 127, 4, "32 + 16, cables 1,020 + 1,024"),
                    new Anchor(
                            "SuperPOD H100, 4 SU",
                            "NVIDIA [V]",
                            "fabric=ib nodes=127 management-ports=2 nics-per-cage=2 host-metres=30",
                            "cables 2,042, transceivers 1,536 + 508",
                            plan ->
                                    "cables %,d, transceivers %,d + %,d"
                                            .formatted(
                                                    plan.cables(),
                                                    plan.bill().cables().stream()
                                                            .mapToInt(CableLine::upperEnds)
                                                            .sum(),
                                                    plan.bill().cables().getFirst().hostEnds()
                                                            - plan.managementCables()),
                            ""),
                    basePod(4, "2 switches, links 32, twin cables 8"),
                    basePod(8, "2 switches, links 64, twin cables 16"),
                    planes(512, "8 switches"),
                    planes(1024, "48 switches"),
                    planes(2048, "96 switches"),
                    planes(4096, "192 switches"),
                    planes(16384, "768 switches"),
                    planes(32768, "2,560 switches"),
                    new Anchor(
                            "1,024 GPUs, price of switches",
                            "Freakonomics sheet, 2024 [2]",
                            "fabric=ib gpus=1024 layout=planes",
                            "$1,728,000",
                            plan -> {
                                Bill.Amount price = plan.bill().price();
                                return price == null ? "none" : "$%,.0f".formatted(price.low());
                            },
                            "the low end; the catalogue has a range"),
                    counted(
                            "144 links, 4 pods of 1,728",
                            "AIDC tests [2]",
                            "fabric=ib nodes=1728 nics-per-node=4 radix=144",
                            "96 + 48"),
                    counted(
                            "144 links, 7 pods of 1,728",
                            "AIDC tests [2]",
                            "fabric=ib nodes=3024 nics-per-node=4 radix=144 leaves-per-pod=72",
                            "168 + 216 + 108"),
                    counted(
                            "32 nodes of B300, Q3400",
                            "kedios [2]",
                            "fabric=ib nodes=32 rate=800 switch=Q3400-RA rails-per-leaf=1"
                                    + " uplinks-per-leaf=72",
                            "8 + 4"),
                    counted(
                            "256 GPUs",
                            "losslessnetwork [2]",
                            "fabric=roce gpus=256 radix=64 layout=planes",
                            "8"),
                    counted(
                            "1,024 GPUs, 2:1",
                            "losslessnetwork [2]",
                            "fabric=roce gpus=1024 radix=64 hosts-per-leaf=32 oversubscription=2",
                            "32 + 8"),
                    new Anchor(
                            "4,096 GPUs, 2:1",
                            "losslessnetwork [2]",
                            "fabric=roce gpus=4096 radix=64 hosts-per-leaf=32 oversubscription=2",
                            "128 + 32 + 16",
                            Anchor::tiers,
                            "32 spines of 64 links have no link up beside 2,048 down"),
                    counted(
                            "4,096 GPUs, 2:1",
                            "losslessnetwork [2]",
                            "fabric=roce gpus=4096 tiers=three radix=64 spine-radix=128"
                                    + " hosts-per-leaf=32 oversubscription=2",
                            "128 + 32 + 16"));

    static final List<Anchor> CLUSTERS =
            List.of(
                    new Anchor(
                            "Meta, 24,576 H100, RoCE",
                            "Meta [V], ratio T0 to T1 second-hand [2]",
                            "fabric=roce gpus=24576 layout=nodes radix=64 hosts-per-leaf=16"
                                    + " uplinks-per-leaf=32 spine-radix=512 leaves-per-pod=192"
                                    + " spine-oversubscription=7",
                            "3 tiers, 8 pods of 3,072, 0.5:1 and 7:1",
                            plan ->
                                    "%d tiers, %d pods of %,d, %.1f:1 and %.0f:1"
                                            .formatted(
                                                    plan.tiers(),
                                                    plan.plane().pods(),
                                                    plan.plane().hosts() / plan.plane().pods(),
                                                    plan.plane().leafRatio(),
                                                    plan.plane().spineRatio()),
                            "hosts of a leaf and links of a spine are assumed; the second ratio is"
                                    + " rounded"),
                    new Anchor(
                            "xAI, 100,000 Hopper, SN5600",
                            "NVIDIA [V]",
                            "fabric=roce gpus=100000 switch=SN5600",
                            "3 tiers",
                            plan -> plan.tiers() + " tiers",
                            ""),
                    new Anchor(
                            "OCI, 131,072 GPUs",
                            "Oracle [V]",
                            "fabric=roce gpus=131072 switch=SN5600",
                            "3 tiers, 52 Pb/s",
                            plan ->
                                    "%d tiers, %.0f Pb/s"
                                            .formatted(
                                                    plan.tiers(), 2 * plan.bisectionTbits() / 1000),
                            "the switch is assumed; Pb/s of all NICs"),
                    new Anchor(
                            "Alibaba HPN 7, 15,360 GPUs",
                            "Alibaba [V]",
                            "fabric=roce gpus=15360 rate=200 ports-per-nic=2 radix=256"
                                    + " hosts-per-leaf=128 uplinks-per-leaf=120",
                            "2 tiers, 2 planes, 15 segments of 1,024",
                            plan ->
                                    "%d tiers, %d planes, %d segments of %,d"
                                            .formatted(
                                                    plan.tiers(),
                                                    plan.planes().size(),
                                                    plan.plane().seating().groups(),
                                                    plan.plane().seating().nodesAt(0)
                                                            * plan.inputs()
                                                                    .cluster()
                                                                    .gpusPerNode()),
                            "links of a switch and its uplinks are assumed"));

    private static Anchor superPod(String name, int nodes, int managers, String published) {
        return new Anchor(
                name,
                "NVIDIA [V]",
                "fabric=ib nodes=%d management-ports=%d".formatted(nodes, managers),
                published,
                plan ->
                        "%s, cables %,d + %,d"
                                .formatted(
                                        tiers(plan),
                                        plan.nodeCables() + plan.managementCables(),
                                        plan.leafCables()),
                "");
    }

    private static Anchor basePod(int nodes, String published) {
        return new Anchor(
                "BasePOD, %d nodes".formatted(nodes),
                "NVIDIA [V]",
                "fabric=ib nodes=%d tiers=pair".formatted(nodes),
                published,
                plan ->
                        "%d switches, links %d, twin cables %d"
                                .formatted(
                                        plan.switches(),
                                        plan.nodeCables(),
                                        plan.bill().cables().get(1).upperEnds() / 2),
                "");
    }

    private static Anchor planes(int gpus, String published) {
        return new Anchor(
                "%,d GPUs".formatted(gpus),
                "Freakonomics sheet, 2024 [2]",
                "fabric=ib gpus=%d layout=planes".formatted(gpus),
                published,
                plan -> "%,d switches".formatted(plan.switches()),
                "");
    }

    private static Anchor counted(String name, String source, String rule, String published) {
        return new Anchor(name, source, rule, published, Anchor::tiers, "");
    }

    /// Leaves, spines and cores, as far as there are any.
    private static String tiers(FabricPlan plan) {
        return plan.leaves()
                + (plan.spines() > 0 ? " + " + plan.spines() : "")
                + (plan.cores() > 0 ? " + " + plan.cores() : "");
    }

    String result() {
        return planned.apply(Plans.one(rule));
    }

    /// Whether the planner is known to differ.
    boolean differs() {
        return note.startsWith("32 spines");
    }

    String row() {
        return "| %s | %s | `%s` | %s | %s | %s |\n"
                .formatted(cluster, source, rule, published, result(), note);
    }
}
