package dev.verbena.virtual;

/// The packets that a virtual network has seen so far, by their fate.
///
/// A packet to a multicast group is sent once, and each member has its own copy with its own fate.
///
/// @param sent handed over by devices
/// @param lost by chance
/// @param unreachable sent to an address without a device
/// @param arrived delivered to a device, including copies and damaged packets
public record VirtualCounts(
        long sent,
        long lost,
        long duplicated,
        long reordered,
        long corrupted,
        long unreachable,
        long arrived) {}
