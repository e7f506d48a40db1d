package dev.verbena.collectives;

import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.CostModel;
import dev.verbena.collectives.plan.Costs;
import dev.verbena.collectives.plan.NetworkCosts;
import dev.verbena.collectives.plan.Plans;
import dev.verbena.collectives.plan.Shape;

/// Chooses the algorithm of an operation. All ranks must choose the same.
@FunctionalInterface
public interface Choice {
    /// Chooses for one operation.
    ///
    /// @param network knows whether [Algorithm#IN_NETWORK] is possible
    Algorithm of(Shape shape, int elementBytes, NetworkCosts.Source network);

    /// The fastest by the estimate of a [CostModel].
    static Choice of(Costs costs) {
        return (shape, bytes, network) ->
                new CostModel(costs, network.costs(), bytes).choose(shape);
    }

    /// An algorithm wherever it carries out the operation, otherwise what this one chooses.
    default Choice prefer(Algorithm algorithm) {
        return (shape, bytes, network) -> {
            boolean isPossible =
                    algorithm == Algorithm.IN_NETWORK
                            ? network.demanded() != null
                            : Plans.supports(shape, algorithm);
            return isPossible ? algorithm : of(shape, bytes, network);
        };
    }
}
