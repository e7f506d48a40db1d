package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// A whole transport packet as a value, for tools and tests.
///
/// It holds every field that is on the wire but the checksums of [Icrc] and [Vcrc], which [#emit]
/// computes. Make one with [#of], which also fills in pad and lengths; read one with [#parse].
/// Reserved bits are not kept. The payload is without its pad.
public record Packet(Envelope envelope, Bth bth, List<Eth> headers, Payload payload) {
    public Packet {
        headers = List.copyOf(headers);
        List<ExtendedHeader> kinds = headers.stream().map(Eth::kind).toList();
        Opcode opcode = Opcode.of(bth.opcode());
        if (!kinds.equals(opcode.headers())) {
            throw new WireException(
                    opcode + " carries the headers " + opcode.headers() + ", not " + kinds);
        }
    }

    /// A packet with pad count, lengths and IPv4 checksum made to fit its content.
    public static Packet of(Envelope envelope, Bth bth, List<Eth> headers, Payload payload) {
        Packet rough =
                new Packet(envelope, bth.withPadCount(-payload.length() & 3), headers, payload);
        return new Packet(
                envelope.sized(rough.transportLength()), rough.bth, rough.headers, payload);
    }

    /// Reads a packet whose verdict was `OK` or in the category `ILLEGAL`.
    public static Packet parse(PacketView view) {
        MemorySegment segment = view.segment();
        List<Eth> headers = new ArrayList<>();
        for (ExtendedHeader header : view.opcode().headers()) {
            headers.add(Eth.parse(header, segment, view.at(header)));
        }
        Payload payload =
                Payload.parse(view.payloadSegment(), view.payloadAt(), view.payloadLength());
        return new Packet(Envelope.parse(view), Bth.parse(segment, view.bthAt()), headers, payload);
    }

    public Opcode opcode() {
        return Opcode.of(bth.opcode());
    }

    /// Bytes from the BTH through the ICRC.
    public int transportLength() {
        return Bth.LENGTH
                + opcode().headersLength()
                + payload.length()
                + bth.padCount()
                + Icrc.LENGTH;
    }

    /// Bytes of the whole packet: with the VCRC on native links, without FCS on Ethernet.
    public int length() {
        int vcrc = envelope.encapsulation().isNative() ? Vcrc.LENGTH : 0;
        return envelope.length() + transportLength() + vcrc;
    }

    /// Writes the packet with correct checksums and returns its length.
    public int emit(MemorySegment segment, long at, Icrc icrc) {
        envelope.emit(segment, at);
        long next = at + envelope.length();
        bth.emit(segment, next);
        next += Bth.LENGTH;
        for (Eth header : headers) {
            header.emit(segment, next);
            next += header.kind().length();
        }
        payload.emit(segment, next);
        next += payload.length();
        segment.asSlice(next, bth.padCount()).fill((byte) 0);
        next += bth.padCount();
        Encapsulation encapsulation = envelope.encapsulation();
        long networkAt = at + envelope.linkLength();
        Icrc.store(segment, next, icrc.compute(encapsulation, segment, networkAt, next));
        if (encapsulation.isNative()) {
            long vcrcAt = next + Icrc.LENGTH;
            Vcrc.store(segment, vcrcAt, Vcrc.compute(segment, at, vcrcAt - at));
        }
        return length();
    }

    /// The packet in a segment of its own.
    public MemorySegment emit(Icrc icrc) {
        MemorySegment segment = MemorySegment.ofArray(new byte[length()]);
        emit(segment, 0, icrc);
        return segment;
    }
}
