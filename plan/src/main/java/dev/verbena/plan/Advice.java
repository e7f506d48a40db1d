package dev.verbena.plan;

import dev.verbena.plan.Inputs.Need;
import dev.verbena.plan.Inputs.Team;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which kind of network the inputs speak for, and why.
///
/// @param network the one with more arguments, if any
/// @param arguments each with the input that it depends on
public record Advice(Optional<Network> network, List<Argument> arguments) {

    /// Something that speaks for a kind of network.
    ///
    /// @param input on which it depends
    public record Argument(Network network, String input, String text) {}

    static Advice of(Inputs inputs, List<FabricPlan> fabrics, List<Plan.Refusal> refusals) {
        if (inputs.networks().size() < 2) {
            return new Advice(Optional.empty(), List.of());
        }
        if (!refusals.isEmpty()) {
            Network only = fabrics.getFirst().network();
            return new Advice(
                    Optional.of(only),
                    List.of(
                            new Argument(
                                    only,
                                    "gpus, rate, switch",
                                    "there is no plan of the other by these inputs")));
        }
        List<Argument> arguments = new ArrayList<>();
        size(fabrics, arguments);
        team(inputs.team(), arguments);
        for (Need need : inputs.needs()) {
            arguments.addAll(need(need, fabrics));
        }
        long ib = arguments.stream().filter(it -> it.network() == Network.IB).count();
        long roce = arguments.size() - ib;
        Optional<Network> network =
                ib == roce ? Optional.empty() : Optional.of(ib > roce ? Network.IB : Network.ROCE);
        return new Advice(network, arguments);
    }

    private static FabricPlan plan(List<FabricPlan> fabrics, Network network) {
        return fabrics.stream().filter(it -> it.network() == network).findFirst().orElseThrow();
    }

    private static void size(List<FabricPlan> fabrics, List<Argument> arguments) {
        FabricPlan ib = plan(fabrics, Network.IB);
        FabricPlan roce = plan(fabrics, Network.ROCE);
        if (ib.growth().exceedsSubnet()) {
            arguments.add(
                    new Argument(
                            Network.ROCE,
                            "gpus",
                            "%,d LIDs are more than one InfiniBand subnet has"
                                    .formatted(ib.growth().addresses())));
        }
        if (ib.tiers() != roce.tiers()) {
            FabricPlan fewer = ib.tiers() < roce.tiers() ? ib : roce;
            FabricPlan more = fewer.network() == Network.IB ? roce : ib;
            arguments.add(
                    new Argument(
                            fewer.network(),
                            "gpus, rate, switch",
                            "%d %s of %s, %d of %s"
                                    .formatted(
                                            fewer.tiers(),
                                            fewer.tiers() == 1 ? "tier" : "tiers",
                                            fewer.models().getFirst().name(),
                                            more.tiers(),
                                            more.models().getFirst().name())));
        }
    }

    private static void team(Team team, List<Argument> arguments) {
        switch (team) {
            case IB ->
                    arguments.add(
                            new Argument(Network.IB, "team", "the team knows subnet managers"));
            case ETHERNET ->
                    arguments.add(
                            new Argument(
                                    Network.ROCE,
                                    "team",
                                    "the team knows Ethernet and its queues"));
            case UNKNOWN, NONE, BOTH -> {}
        }
    }

    private static List<Argument> need(Need need, List<FabricPlan> fabrics) {
        return switch (need) {
            case LOWEST_LATENCY -> latency(fabrics);
            case IN_NETWORK_REDUCTION ->
                    List.of(
                            new Argument(
                                    Network.IB,
                                    "needs",
                                    "its switches of the catalogue reduce in the network (SHARP)"));
            case MANY_VENDORS ->
                    List.of(
                            new Argument(
                                    Network.ROCE, "needs", "several makers have such switches"));
            case ONE_NETWORK_FOR_ALL ->
                    List.of(
                            new Argument(
                                    Network.ROCE, "needs", "storage and IP use the same switches"));
            case FEWEST_SETTINGS ->
                    List.of(new Argument(Network.IB, "needs", "credits need no PFC, ECN or DSCP"));
        };
    }

    private static List<Argument> latency(List<FabricPlan> fabrics) {
        Latency ib = plan(fabrics, Network.IB).latency();
        Latency roce = plan(fabrics, Network.ROCE).latency();
        if (!ib.isWhole() || !roce.isWhole()) {
            return List.of();
        }
        boolean isIb = ib.farthest().highNs() < roce.farthest().lowNs();
        boolean isRoce = roce.farthest().highNs() < ib.farthest().lowNs();
        return isIb || isRoce
                ? List.of(
                        new Argument(
                                isIb ? Network.IB : Network.ROCE,
                                "needs, switch, lengths",
                                "the farthest NICs are nearer in time, by all figures"))
                : List.of();
    }
}
