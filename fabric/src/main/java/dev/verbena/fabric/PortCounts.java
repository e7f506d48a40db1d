package dev.verbena.fabric;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// What one port has counted, by the names of `perfquery` on InfiniBand and of `ethtool -S` on
/// Ethernet; what was never counted is left out.
///
/// @param port counted from 0
/// @param neighbour at the other end of its cable
/// @param queuedBytes link bytes that wait to leave by it now
public record PortCounts(
        String node, int port, String neighbour, long queuedBytes, Map<String, Long> counts) {
    public PortCounts {
        counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
    }
}
