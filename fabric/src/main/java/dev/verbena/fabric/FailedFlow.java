package dev.verbena.fabric;

import dev.verbena.verbs.CompletionStatus;

/// A flow that ended with an error.
///
/// @param flow number of the flow
/// @param queuePair number of the sender's queue pair
/// @param status status of its completion
/// @param timePs time of the completion
public record FailedFlow(int flow, int queuePair, CompletionStatus status, long timePs) {}
