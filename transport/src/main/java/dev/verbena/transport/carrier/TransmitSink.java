package dev.verbena.transport.carrier;

/// Where a carrier takes outgoing packets.
public interface TransmitSink {
    /// The packet to fill next, with room for [OutboundPacket#MAX_HEADER_LENGTH] header bytes. It
    /// may be asked for again without having been accepted, when nothing came of it.
    OutboundPacket next();

    /// Takes the filled packet; the device must not be called from here.
    ///
    /// A carrier that copies all payload here needs no more. One that keeps addresses of payload
    /// until it sends calls [dev.verbena.transport.TransportDevice#holdMemory] before and
    /// `letMemoryGo` after, and copies here what is [OutboundPacket#isReadOnce].
    void accept(OutboundPacket packet);
}
