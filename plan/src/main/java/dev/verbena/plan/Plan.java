package dev.verbena.plan;

import java.util.List;

/// A plan: for the same inputs, a network of each kind that was asked for.
public record Plan(Inputs inputs, List<FabricPlan> fabrics, Advice advice) {

    /// Makes a plan.
    public static Plan of(Inputs inputs, Catalog catalog) {
        for (String name : inputs.choices().switches()) {
            if (inputs.networks().stream().noneMatch(it -> catalog.hasSwitch(it, name))) {
                throw new PlanException(
                        "switch \"%s\" is not in the catalogue for %s: use %s"
                                .formatted(name, words(inputs), names(inputs, catalog)));
            }
        }
        List<FabricPlan> fabrics =
                inputs.networks().stream()
                        .map(network -> FabricPlan.of(network, inputs, catalog))
                        .toList();
        return new Plan(inputs, fabrics, Advice.of(inputs, fabrics));
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
