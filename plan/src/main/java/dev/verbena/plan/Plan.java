package dev.verbena.plan;

import java.util.ArrayList;
import java.util.List;

/// A plan: for the same inputs, a network of each kind that was asked for.
///
/// @param refusals kinds of network of which there is no such plan, while there is one of another
public record Plan(Inputs inputs, List<FabricPlan> fabrics, List<Refusal> refusals, Advice advice) {

    /// Why there is no plan of a kind of network.
    public record Refusal(Network network, String reason) {}

    /// Makes a plan.
    public static Plan of(Inputs inputs, Catalog catalog) {
        for (String name : inputs.choices().switches()) {
            if (inputs.networks().stream().noneMatch(it -> catalog.hasSwitch(it, name))) {
                throw new PlanException(
                        "switch \"%s\" is not in the catalogue for %s: use %s"
                                .formatted(name, words(inputs), names(inputs, catalog)));
            }
        }
        List<FabricPlan> fabrics = new ArrayList<>();
        List<Refusal> refusals = new ArrayList<>();
        for (Network network : inputs.networks()) {
            try {
                fabrics.add(FabricPlan.of(network, inputs, catalog));
            } catch (PlanException refused) {
                refusals.add(new Refusal(network, String.valueOf(refused.getMessage())));
            }
        }
        if (fabrics.isEmpty()) {
            Refusal first = refusals.getFirst();
            throw new PlanException(first.network().title() + ": " + first.reason());
        }
        return new Plan(inputs, fabrics, refusals, Advice.of(inputs, fabrics, refusals));
    }

    private static String words(Inputs inputs) {
        return Texts.or(inputs.networks().stream().map(Network::title).toList());
    }

    private static String names(Inputs inputs, Catalog catalog) {
        return Texts.or(
                catalog.switches().stream()
                        .filter(it -> inputs.networks().contains(it.network()))
                        .map(SwitchModel::name)
                        .toList());
    }
}
