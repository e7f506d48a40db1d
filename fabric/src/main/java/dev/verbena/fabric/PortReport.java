package dev.verbena.fabric;

/// Traffic of the sending half of one port.
///
/// @param node the name of its host or switch
/// @param neighbour name of the node at the other end of the cable
/// @param packets packets sent, without flow control
/// @param busy share of the time in which it was sending
/// @param pausedPs time in which a priority was paused, on Ethernet
/// @param creditWaits how often a lane waited for credit, on InfiniBand
public record PortReport(
        String node,
        int port,
        String neighbour,
        long packets,
        long bytes,
        double busy,
        long pausedPs,
        long creditWaits) {}
