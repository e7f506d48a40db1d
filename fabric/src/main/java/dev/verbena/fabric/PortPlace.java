package dev.verbena.fabric;

/// Where a port is, and what is plugged into it.
///
/// @param order of the port's events, see [Orders]
/// @param owner its host or switch
/// @param number of the port there, from 0
record PortPlace(int order, Node owner, int number, Cable cable) {}
