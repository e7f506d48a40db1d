package dev.verbena.virtual;

import dev.verbena.transport.InboundPacket;
import dev.verbena.transport.OutboundPacket;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Encapsulation;
import dev.verbena.wire.Ethernet;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Ipv4;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Verdict;
import java.lang.foreign.MemorySegment;

/// Packets as whole RoCE v2 frames: written, damaged, and read as a receiver would.
final class Frames {
    private static final int PAYLOAD_MAX = 4096;

    /// The longest frame, rounded up so that frames that lie side by side share no cache line.
    static final int LENGTH_MAX = 4224;

    /// The byte of the BTH that switches may change, so that the ICRC leaves it out.
    private static final int VARIANT_BYTE = 4;

    private static final long MAPPED = 0xFFFF_0000_0000L;

    private final Icrc icrc = new Icrc();

    static {
        int longest = Route.HEADERS + OutboundPacket.MAX_HEADER_LENGTH + PAYLOAD_MAX + Icrc.LENGTH;
        assert longest <= LENGTH_MAX : longest;
    }

    /// Completes a frame whose transport headers are in place already.
    void encode(Flight flight, OutboundPacket packet, Route route) {
        MemorySegment segment = flight.segment;
        int transport = packet.length();
        route.write(segment, flight.at, transport, packet.ecn());
        long payloadAt = flight.at + Route.HEADERS + packet.headerLength();
        long icrcAt = payloadAt + packet.payloadLength() + packet.padCount();
        long zerosAt = icrcAt - packet.padCount();
        if (packet.isPhantom()) {
            // A length without bytes; this network carries bytes, so they are zeros.
            zerosAt = payloadAt;
        } else {
            packet.copyPayload(segment, payloadAt);
        }
        for (long at = zerosAt; at < icrcAt; at++) {
            BigEndian.put8(segment, at, 0);
        }
        long ipAt = flight.at + Ethernet.LENGTH;
        Icrc.store(
                segment, icrcAt, icrc.compute(Encapsulation.ROCE_V2_IPV4, segment, ipAt, icrcAt));
        flight.length = Route.HEADERS + transport;
    }

    /// Flips a bit that the receiver's check covers, by any means that it has.
    static void damage(Flight flight, Fates fates) {
        int bytes = flight.length - Route.HEADERS;
        int bit = fates.bit((bytes - 1) * Byte.SIZE);
        int index = bit / Byte.SIZE;
        long at = flight.at + Route.HEADERS + (index < VARIANT_BYTE ? index : index + 1);
        int value = BigEndian.u8(flight.segment, at);
        BigEndian.put8(flight.segment, at, value ^ (1 << (bit % Byte.SIZE)));
    }

    /// Reads a frame, with the verdict of a receiver on structure and integrity.
    void decode(Flight flight, InboundPacket inbound) {
        PacketView view = inbound.view();
        inbound.verdict(verdict(flight, view));
        long ipAt = flight.at + Ethernet.LENGTH;
        inbound.from(0, 0, MAPPED | (Ipv4.source(flight.segment, ipAt) & 0xFFFF_FFFFL));
        inbound.ecn(Ipv4.trafficClass(flight.segment, ipAt) & 3);
    }

    private Verdict verdict(Flight flight, PacketView view) {
        Verdict verdict = view.wrapEthernet(flight.segment, flight.at, flight.length);
        // What would be answered with more than silence must not be a flipped bit.
        boolean answered =
                switch (verdict.category()) {
                    case ACCEPTED, ILLEGAL, UNSUPPORTED -> true;
                    case FOREIGN, MALFORMED, CORRUPT -> false;
                };
        return answered && !icrc.isRight(view) ? Verdict.ICRC_WRONG : verdict;
    }
}
