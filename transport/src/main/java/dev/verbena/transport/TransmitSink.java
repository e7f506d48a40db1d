package dev.verbena.transport;

/// Where a carrier takes outgoing packets.
public interface TransmitSink {
    /// The packet to fill next, with room for [OutboundPacket#MAX_HEADER_LENGTH] header bytes. It
    /// may be asked for again without having been accepted, when nothing came of it.
    OutboundPacket next();

    /// Takes the filled packet; the device must not be called from here.
    ///
    /// Memory that the device allocated, and memory of the global arena, holds until the call into
    /// the device that led here has returned and its guard is left: a carrier may refer to it by
    /// address until then. All other payload is [OutboundPacket#isReadOnce], and is copied here.
    void accept(OutboundPacket packet);
}
