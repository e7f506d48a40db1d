package dev.verbena.transport;

import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;

/// Sees every packet as it leaves a device and as it reaches one; does nothing by default.
interface PacketObserver {
    PacketObserver NOBODY = new PacketObserver() {};

    /// A device yielded a packet; the wire has not touched it yet.
    default void leaving(int port, OutboundPacket packet) {}

    /// A device is about to be given a packet, with the carrier's verdict.
    default void arriving(int port, InboundPacket packet) {}

    /// It was given it.
    default void arrived(int port, InboundPacket packet) {}
}
