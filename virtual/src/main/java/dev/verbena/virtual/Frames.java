package dev.verbena.virtual;

import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.Seal;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Ethernet;
import dev.verbena.wire.Grh;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Ipv4;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Verdict;
import dev.verbena.wire.Vlan;
import java.lang.foreign.MemorySegment;

/// Packets as whole RoCE v2 frames: written, damaged, and read as a receiver would.
final class Frames {
    private static final int PAYLOAD_MAX = 4096;

    /// Room for the longest frame, rounded up so that no two frames share a cache line.
    static final int LENGTH_MAX = 4288;

    /// The byte of the BTH that switches may change, so that the ICRC leaves it out.
    private static final int VARIANT_BYTE = 4;

    // The GIDs of an IPv6 header, each in two halves.
    private static final int SOURCE = 8;
    private static final int DESTINATION = 24;

    private final Icrc icrc = new Icrc();

    static {
        int longest =
                Route.HEADERS_MAX
                        + OutboundPacket.MAX_HEADER_LENGTH
                        + PAYLOAD_MAX
                        + Seal.LENGTH_MAX;
        assert longest <= LENGTH_MAX : longest;
    }

    /// Completes a frame whose transport headers are in place already.
    void encode(Flight flight, OutboundPacket packet, Route route) {
        MemorySegment segment = flight.segment;
        flight.headersLength = route.headersLength();
        flight.transportLength = packet.length();
        route.write(segment, flight.at(), flight.transportLength, packet.ecn());
        long payloadAt = flight.bthAt + packet.headerLength();
        long sealAt = flight.bthAt + packet.sealedLength();
        long padAt = sealAt - packet.padCount();
        if (packet.isPhantom()) {
            throw new AssertionError("a device of this network makes no regions without memory");
        }
        packet.copyPayload(segment, payloadAt);
        for (long at = padAt; at < sealAt; at++) {
            BigEndian.put8(segment, at, 0);
        }
        long networkAt = flight.at() + route.linkLength();
        packet.seal().put(route.encapsulation(), segment, networkAt, sealAt);
    }

    /// Flips a bit that the receiver's check covers, by any means that it has.
    static void damage(Flight flight, Fates fates) {
        int bit = fates.bit((flight.transportLength - 1) * Byte.SIZE);
        int index = bit / Byte.SIZE;
        long at = flight.bthAt + (index < VARIANT_BYTE ? index : index + 1);
        int value = BigEndian.u8(flight.segment, at);
        BigEndian.put8(flight.segment, at, value ^ (1 << (bit % Byte.SIZE)));
    }

    /// Reads a frame: the receiver's verdict on its structure and integrity, and its source.
    void decode(Flight flight, InboundPacket inbound) {
        inbound.verdict(verdict(flight, inbound.view()));
        MemorySegment segment = flight.segment;
        long linkAt = flight.at();
        long ipAt = linkAt + Ethernet.length(segment, linkAt);
        int level =
                Ethernet.tagged(segment, linkAt)
                        ? Vlan.priority(segment, linkAt + Ethernet.LENGTH)
                        : 0;
        // No damage is done in front of the BTH, so these are as they were sent.
        if (Ethernet.etherType(segment, linkAt) == Ethernet.TYPE_IPV4) {
            int traffic = Ipv4.trafficClass(segment, ipAt);
            inbound.from(0, 0, Gid.lowOfIpv4(Ipv4.source(segment, ipAt)))
                    .to(0, Gid.lowOfIpv4(Ipv4.destination(segment, ipAt)))
                    .route(level, traffic, 0, Ipv4.timeToLive(segment, ipAt))
                    .ecn(traffic & 3);
        } else {
            int traffic = Grh.trafficClass(segment, ipAt);
            inbound.from(0, half(segment, ipAt + SOURCE), half(segment, ipAt + SOURCE + 8))
                    .to(half(segment, ipAt + DESTINATION), half(segment, ipAt + DESTINATION + 8))
                    .route(
                            level,
                            traffic,
                            Grh.flowLabel(segment, ipAt),
                            Grh.hopLimit(segment, ipAt))
                    .ecn(traffic & 3);
        }
    }

    private static long half(MemorySegment segment, long at) {
        return BigEndian.i64(segment, at);
    }

    private Verdict verdict(Flight flight, PacketView view) {
        Verdict verdict = view.wrapEthernet(flight.segment, flight.at(), flight.length());
        // A packet that gets a reply must not be the result of a flipped bit.
        boolean answered =
                switch (verdict.category()) {
                    case ACCEPTED, ILLEGAL, UNSUPPORTED -> true;
                    case FOREIGN, MALFORMED, CORRUPT -> false;
                };
        return answered && !icrc.isRight(view) ? Verdict.ICRC_WRONG : verdict;
    }
}
