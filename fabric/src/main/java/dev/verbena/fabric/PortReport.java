package dev.verbena.fabric;

/// What one port has sent.
///
/// @param node the name of its host or switch
/// @param neighbour whom it sends to
/// @param packets without flow control
/// @param busy of the time, the part in which it was sending
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
