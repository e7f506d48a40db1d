package dev.verbena.verbs;

/// What a port is and does at the moment.
///
/// @param number from 1
/// @param lid local identifier, or 0 where there is none, as on Ethernet
/// @param maxMtu largest payload of a packet that the device can send, in bytes
/// @param activeMtu largest payload that the link takes now
/// @param bitsPerSecond speed of the link, or 0 where nobody knows
public record PortAttributes(
        int number,
        PortState state,
        LinkLayer linkLayer,
        int lid,
        int maxMtu,
        int activeMtu,
        long bitsPerSecond) {}
