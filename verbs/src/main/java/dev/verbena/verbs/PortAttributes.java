package dev.verbena.verbs;

/// The current attributes of a port.
///
/// @param number from 1
/// @param lid local identifier, or 0 if the port has none, as on Ethernet
/// @param maxMtu largest payload of a packet that the device can send, in bytes
/// @param activeMtu largest payload that the link accepts now
/// @param bitsPerSecond speed of the link, or 0 if it is not known
public record PortAttributes(
        int number,
        PortState state,
        LinkLayer linkLayer,
        int lid,
        int maxMtu,
        int activeMtu,
        long bitsPerSecond) {}
