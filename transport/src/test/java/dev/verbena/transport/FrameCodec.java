package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Envelope;
import dev.verbena.wire.Ethernet;
import dev.verbena.wire.Grh;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.IcrcPseudoHeader;
import dev.verbena.wire.Ip;
import dev.verbena.wire.Ipv4;
import dev.verbena.wire.Ipv6;
import dev.verbena.wire.Lrh;
import dev.verbena.wire.MacAddress;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Udp;
import dev.verbena.wire.Vcrc;
import dev.verbena.wire.Verdict;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The bytes mode of the wire: packets become frames with pad and ICRC, are damaged, and are read
/// back as a carrier would read them.
final class FrameCodec {
    private static final int IP_UDP = 17;

    /// What is in front of the transport packet.
    enum Form {
        /// Nothing: what a UDP socket shows.
        BARE,
        ROCE_V2,
        INFINIBAND
    }

    private final Form form;
    private final Icrc icrc = new Icrc();
    private final IcrcPseudoHeader pseudo = new IcrcPseudoHeader();

    FrameCodec(Form form) {
        this.form = form;
    }

    /// The IPv4 address of a port of the pair.
    static int address(int port) {
        return 0x0A00_0001 + port;
    }

    /// Turns headers and payload of a flight into one frame.
    void encode(Flight flight, OutboundPacket packet) {
        int pad = packet.padCount();
        int transport = packet.length();
        Envelope envelope =
                switch (form) {
                    case BARE -> null;
                    case ROCE_V2 -> roce(flight).sized(transport);
                    case INFINIBAND -> infiniBand(flight).sized(transport);
                };
        int at = envelope == null ? 0 : envelope.length();
        flight.room(at + transport + Vcrc.LENGTH);
        MemorySegment frame = flight.payload;
        if (envelope != null) {
            envelope.emit(frame, 0);
        }
        int headers = flight.headerLength;
        MemorySegment.copy(flight.header, 0, frame, at, headers);
        packet.copyPayload(frame, at + headers);
        int icrcAt = at + headers + packet.payloadLength() + pad;
        frame.asSlice(icrcAt - pad, pad).fill((byte) 0);
        int value =
                envelope == null
                        ? icrc.compute(towards(flight), 0, frame, 0, icrcAt)
                        : icrc.compute(
                                envelope.encapsulation(), frame, envelope.linkLength(), icrcAt);
        Icrc.store(frame, icrcAt, value);
        flight.frameLength = icrcAt + Icrc.LENGTH;
        if (form == Form.INFINIBAND) {
            int vcrcAt = flight.frameLength;
            Vcrc.store(frame, vcrcAt, Vcrc.compute(frame, 0, vcrcAt));
            flight.frameLength += Vcrc.LENGTH;
        }
    }

    /// Flips up to three bits, which a CRC-32 always finds, or cuts the end off.
    void damage(Flight flight, Choices choices) {
        if (choices.chance(0.1)) {
            flight.frameLength = choices.between(0, flight.frameLength - 1);
            return;
        }
        for (int i = choices.between(1, 3); i > 0; i--) {
            int at = choices.between(0, flight.frameLength - 1);
            byte value = flight.payload.get(ValueLayout.JAVA_BYTE, at);
            int flipped = value ^ (1 << choices.between(0, 7));
            flight.payload.set(ValueLayout.JAVA_BYTE, at, (byte) flipped);
        }
    }

    /// Reads a frame and says what a carrier would say about it.
    Verdict decode(Flight flight, PacketView view) {
        MemorySegment frame = flight.payload;
        Verdict verdict =
                switch (form) {
                    case BARE -> view.wrapTransport(frame, 0, flight.frameLength);
                    case ROCE_V2 -> view.wrapEthernet(frame, 0, flight.frameLength);
                    case INFINIBAND -> view.wrapInfiniBand(frame, 0, flight.frameLength);
                };
        boolean covered =
                switch (verdict.category()) {
                    case ACCEPTED, ILLEGAL, UNSUPPORTED -> view.hasBth();
                    case FOREIGN, MALFORMED, CORRUPT -> false;
                };
        if (!covered) {
            return verdict.isOk() ? Verdict.ETHERTYPE_FOREIGN : verdict;
        }
        if (form == Form.BARE) {
            return icrc.isRight(towards(flight), 0, view) ? verdict : Verdict.ICRC_WRONG;
        }
        Verdict integrity = view.integrity(icrc);
        return integrity == Verdict.OK ? verdict : integrity;
    }

    private IcrcPseudoHeader towards(Flight flight) {
        Gid from = flight.source();
        Gid to = flight.path().address().gid();
        return from.isIpv4()
                ? pseudo.setIpv4((int) from.low(), (int) to.low(), Udp.ROCE_PORT, Udp.ROCE_PORT)
                : pseudo.setIpv6(wire(from), wire(to), Udp.ROCE_PORT, Udp.ROCE_PORT);
    }

    private static Envelope infiniBand(Flight flight) {
        Address way = flight.path().address();
        boolean isGlobal = !way.gid().equals(Gid.NONE);
        Lrh lrh =
                new Lrh(
                        0,
                        Lrh.VERSION,
                        way.serviceLevel(),
                        isGlobal ? Lrh.IBA_GLOBAL : Lrh.IBA_LOCAL,
                        way.lid(),
                        0,
                        flight.from + 1);
        if (!isGlobal) {
            return new Envelope.IbLocal(lrh);
        }
        return new Envelope.IbGlobal(
                lrh,
                new Grh(
                        Grh.VERSION,
                        way.trafficClass(),
                        way.flowLabel(),
                        0,
                        Grh.IBA_TRANSPORT,
                        way.hopLimit(),
                        wire(flight.source()),
                        wire(way.gid())));
    }

    private static Envelope roce(Flight flight) {
        boolean isIpv4 = flight.source().isIpv4();
        return new Envelope.RoceV2(
                Ethernet.of(
                        new MacAddress(0x0200_0000_0001L + (flight.port & 0xFF)),
                        new MacAddress(0x0200_0000_0001L + flight.from),
                        isIpv4 ? Ethernet.TYPE_IPV4 : Ethernet.TYPE_IPV6),
                isIpv4 ? ipv4(flight) : ipv6(flight),
                new Udp(Udp.ROCE_PORT, Udp.ROCE_PORT, 0, 0));
    }

    private static Ip ipv4(Flight flight) {
        Address way = flight.path().address();
        return new Ipv4(
                flight.ecn,
                0,
                0,
                Ipv4.DONT_FRAGMENT,
                way.hopLimit(),
                IP_UDP,
                0,
                (int) flight.source().low(),
                (int) way.gid().low());
    }

    private static Ip ipv6(Flight flight) {
        Address way = flight.path().address();
        return new Ipv6(
                flight.ecn,
                way.flowLabel(),
                0,
                IP_UDP,
                way.hopLimit(),
                wire(flight.source()),
                wire(way.gid()));
    }

    private static dev.verbena.wire.Gid wire(Gid gid) {
        return new dev.verbena.wire.Gid(gid.high(), gid.low());
    }
}
