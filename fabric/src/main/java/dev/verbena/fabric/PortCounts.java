package dev.verbena.fabric;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// The counters of one port, by the names of `perfquery` on InfiniBand and of `ethtool -S` on
/// Ethernet. Counters that are 0 are left out.
///
/// @param port number of the port, from 0
/// @param neighbour name of the node at the other end of the cable
/// @param queuedBytes link bytes that wait to leave by the port now
public record PortCounts(
        String node, int port, String neighbour, long queuedBytes, Map<String, Long> counts) {
    public PortCounts {
        counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
    }
}
