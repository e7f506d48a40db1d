package dev.verbena.fabric;

/// Counters of a whole fabric.
///
/// @param injected packets that hosts sent
/// @param hops packets over links, each counted once per link
/// @param drops packets for which a switch had no room or no route
/// @param lost packets that cables lost because of a fault
/// @param pauses frames that paused a neighbour or renewed a pause
/// @param credits frames that returned credits
/// @param highestBuffer largest number of bytes of one priority or lane of one port
public record FabricCounts(
        long events,
        long injected,
        long hops,
        long drops,
        long lost,
        long pauses,
        long credits,
        long highestBuffer) {}
