package dev.verbena.fabric;

/// What happened in a fabric, in all.
///
/// @param injected packets that hosts sent
/// @param hops packets over links, each counted as often as it was sent
/// @param drops packets that a switch had no room for, or did not know the way of
/// @param pauses frames that paused a neighbour, or renewed that
/// @param credits frames that gave credits back
/// @param highestBuffer bytes that one priority or lane of one port had at most
public record FabricCounts(
        long events,
        long injected,
        long hops,
        long drops,
        long pauses,
        long credits,
        long highestBuffer) {}
