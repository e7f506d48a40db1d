package dev.verbena.fabric;

import java.util.List;

/// Ports of switches that wait for each other in a circle, so that none of them ever sends again.
///
/// Each waits for the next: the packets that keep the next switch's buffer full wait at the next
/// port.
///
/// @param timePs when it was found
/// @param ports all ports of switches that wait for the circle, with those in it
public record Deadlock(long timePs, int ports, List<Wait> cycle) {
    /// One port of the circle.
    ///
    /// @param node its switch
    /// @param port number of the port, from 0
    /// @param neighbour the switch that it waits for
    /// @param lane priority on Ethernet, virtual lane on InfiniBand
    /// @param waitingBytes link bytes that wait there
    public record Wait(String node, int port, String neighbour, int lane, long waitingBytes) {}

    public Deadlock {
        cycle = List.copyOf(cycle);
    }
}
