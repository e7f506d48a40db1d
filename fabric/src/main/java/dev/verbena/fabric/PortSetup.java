package dev.verbena.fabric;

import java.util.function.Supplier;

/// What a port is made with.
///
/// @param lanes how many priorities or virtual lanes it has
/// @param controlBytes of a frame to the neighbour
/// @param arbiter makes what chooses between them, one for each port
record PortSetup(Rate rate, int lanes, int controlBytes, Supplier<Arbiter> arbiter) {}
