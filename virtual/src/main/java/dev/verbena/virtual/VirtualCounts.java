package dev.verbena.virtual;

/// How many packets a virtual network has seen so far, and what became of them.
///
/// A packet to a multicast group is sent once, and each member has its own copy with its own fate.
///
/// @param sent handed over by devices
/// @param lost by chance
/// @param unreachable sent to where no device is, or no longer
/// @param arrived handed to a device, copies and damaged ones among them
public record VirtualCounts(
        long sent,
        long lost,
        long duplicated,
        long reordered,
        long corrupted,
        long unreachable,
        long arrived) {}
