package dev.verbena.fabric;

import dev.verbena.transport.OutboundPacket;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// What hosts put into a packet and take out of it; on its way only its number in the [PacketPool]
/// and its [Tag] travel.
final class Packet {
    /// Headers from the BTH on.
    final MemorySegment headers;

    final long headersAt;
    int headersLength;
    int payloadLength;

    /// Where the payload's bytes are; none for a phantom's.
    @Nullable MemorySegment payload;

    /// How it goes; the sender's, and only to be read.
    @Nullable Route route;

    int ecn;

    Packet(MemorySegment headers, long headersAt) {
        this.headers = headers;
        this.headersAt = headersAt;
    }

    /// From the BTH through the ICRC.
    int transportLength() {
        return headersLength + payloadLength + (-payloadLength & 3) + 4;
    }

    /// Takes over what the transport wants to send; its headers are here already.
    void fill(OutboundPacket from, PayloadPool payloads) {
        headersLength = from.headerLength();
        payloadLength = from.payloadLength();
        ecn = from.ecn();
        if (!from.isPhantom() && payloadLength > 0) {
            MemorySegment bytes = payloads.take();
            from.copyPayload(bytes, 0);
            payload = bytes;
        }
    }

    Route route() {
        Route known = route;
        if (known == null) {
            throw new AssertionError("a packet that travels has a route");
        }
        return known;
    }
}
