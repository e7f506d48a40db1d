package dev.verbena.transport;

/// Where a carrier takes outgoing packets.
public interface TransmitSink {
    /// The packet to fill next, with room for [OutboundPacket#MAX_HEADER_LENGTH] header bytes. It
    /// may be asked for again without having been accepted, when nothing came of it.
    OutboundPacket next();

    /// Takes the filled packet. Payload references hold until this returns; the device must not be
    /// called from here.
    void accept(OutboundPacket packet);
}
