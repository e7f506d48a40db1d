package dev.verbena.fabric;

import dev.verbena.transport.OutboundPacket;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A packet on its way; taken from a [PacketPool] and given back to it.
///
/// It is in one queue at a time, by [#next]: of a port, a pipeline, a link or the pool.
final class Packet {
    /// What travels: packets of the transport, or a frame between two neighbours.
    enum Kind {
        DATA,
        /// Priority flow control of Ethernet: [#lane], and [#value] quanta.
        PAUSE,
        /// Credits of InfiniBand: of [#lane], [#value] is FCCL and [#more] is FCTBS.
        CREDIT
    }

    @Nullable Packet next;

    /// When the one who holds it lets it go.
    long timePs;

    /// When its last bit is there, of one that is handed on as soon as its first ones are.
    long tailPs;

    Kind kind = Kind.DATA;

    /// What it takes of a link: bytes with everything around them.
    int wireBytes;

    /// What it takes of a buffer.
    int bufferBytes;

    /// The priority or virtual lane that it travels in on the present link.
    int lane;

    /// The port by which it came to the node that holds it, and the lane.
    int ingress;

    int ingressLane;

    int value;
    int more;

    /// The number of the host that it goes to.
    int destination;

    /// How it goes; the sender's, and only to be read.
    @Nullable Route route;

    int ecn;

    /// Which way among equal ones: the same for all packets of a connection.
    int entropy;

    /// Headers from the BTH on.
    final MemorySegment headers;

    final long headersAt;
    int headersLength;
    int payloadLength;

    /// Where the payload's bytes are; none for a phantom's.
    @Nullable MemorySegment payload;

    boolean isPhantom;

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
        kind = Kind.DATA;
        headersLength = from.headerLength();
        payloadLength = from.payloadLength();
        isPhantom = from.isPhantom();
        ecn = from.ecn();
        if (!isPhantom && payloadLength > 0) {
            MemorySegment bytes = payloads.take();
            from.copyPayload(bytes, 0);
            payload = bytes;
        }
    }

    Route route() {
        Route known = route;
        if (known == null) {
            throw new AssertionError("a packet of the transport has a route");
        }
        return known;
    }
}
