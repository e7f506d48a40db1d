package dev.verbena.fabric;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// The traffic of one port.
///
/// @param node name of its host or switch
/// @param port number of the port, from 0
/// @param neighbour name of the node at the other end of the cable
/// @param busy share of the time in which it was sending
/// @param pausedPs time in which a priority was paused, on Ethernet
/// @param queuedBytes link bytes that wait to leave by the port now
/// @param counts its counters by the names of `perfquery` on InfiniBand and of `ethtool -S` on
///   Ethernet; those that are 0 are left out
public record PortCounts(
        String node,
        int port,
        String neighbour,
        double busy,
        long pausedPs,
        long queuedBytes,
        Map<String, Long> counts) {
    public PortCounts {
        counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
    }
}
