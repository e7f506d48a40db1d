package dev.verbena.collectives;

import dev.verbena.collectives.plan.NetworkCosts;
import org.jspecify.annotations.Nullable;

/// What a network offers for reductions of all ranks of a communicator.
///
/// @param costs null when it reduces nothing for them
/// @param text the resources of the group, or why there is none, for people
public record NetworkOffer(@Nullable NetworkCosts costs, String text) {}
