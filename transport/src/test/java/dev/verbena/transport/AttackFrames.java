package dev.verbena.transport;

import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.wire.Encapsulation;
import dev.verbena.wire.Envelope;
import dev.verbena.wire.Ethernet;
import dev.verbena.wire.Grh;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.InternetChecksum;
import dev.verbena.wire.Ipv4;
import dev.verbena.wire.Lrh;
import dev.verbena.wire.MacAddress;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Udp;
import dev.verbena.wire.Vcrc;
import dev.verbena.wire.Verdict;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// One frame after another in the same memory: network headers in front, checksums behind, then
/// read back by the checks as a carrier reads them.
///
/// The headers are written once by `wire` and patched from frame to frame, so that a million of
/// them make no garbage.
final class AttackFrames {
    /// How packets travel to the device under attack.
    enum Shape {
        ROCE_V2(LinkLayer.ETHERNET, Encapsulation.ROCE_V2_IPV4),
        IB_LOCAL(LinkLayer.INFINIBAND, Encapsulation.IB_LOCAL),
        IB_GLOBAL(LinkLayer.INFINIBAND, Encapsulation.IB_GLOBAL);

        final LinkLayer layer;
        final Encapsulation encapsulation;

        Shape(LinkLayer layer, Encapsulation encapsulation) {
            this.layer = layer;
            this.encapsulation = encapsulation;
        }
    }

    /// Who sends: on Ethernet the low 32 bits of the GID are the IPv4 address.
    record Node(int lid, Gid gid) {}

    private static final int SIZE = 12 << 10;
    private static final int NOBODY = -1;
    private static final int IP_UDP = 17;
    private static final int IPV4_AT = Ethernet.LENGTH;
    private static final int UDP_AT = IPV4_AT + Ipv4.LENGTH;

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    final Shape shape;
    final MemorySegment bytes = Arena.ofAuto().allocate(SIZE, 8);

    /// Where the BTH goes.
    final int transportAt;

    private final Icrc icrc = new Icrc();
    private final InboundPacket inbound = new InboundPacket();
    private int length;
    private int transportLength;
    private Node sender;
    private Gid target;
    private int stranger = NOBODY;
    private boolean isSpoiled;

    AttackFrames(Shape shape, Node from, Node to) {
        this.shape = shape;
        this.sender = from;
        this.target = to.gid;
        Envelope envelope = envelope(shape, from, to);
        envelope.emit(bytes, 0);
        transportAt = envelope.length();
    }

    /// Sets the claimed source of the next frames.
    private void from(int lid, long gidHigh, long gidLow) {
        switch (shape) {
            case ROCE_V2 -> bytes.set(INT, IPV4_AT + 12, (int) gidLow);
            case IB_LOCAL -> bytes.set(SHORT, 6, (short) lid);
            case IB_GLOBAL -> {
                bytes.set(SHORT, 6, (short) lid);
                bytes.set(LONG, Lrh.LENGTH + 8, gidHigh);
                bytes.set(LONG, Lrh.LENGTH + 16, gidLow);
            }
        }
    }

    void from(Node node) {
        sender = node;
        stranger = NOBODY;
        from(node.lid, node.gid.high(), node.gid.low());
    }

    /// The next frames claim to come from one of a million unknown addresses.
    void fromStranger(int number) {
        stranger = number;
        from(number & 0xFFFF, number, ~number);
    }

    Node sender() {
        return sender;
    }

    Gid target() {
        return target;
    }

    /// The number of the stranger that the frame comes from; negative: it is no stranger's.
    int stranger() {
        return stranger;
    }

    /// Bytes of the transport packet, ICRC included.
    int transportLength() {
        return transportLength;
    }

    boolean isSpoiled() {
        return isSpoiled;
    }

    /// The destination of the next frames: a host, or a multicast group.
    void to(Gid gid) {
        target = gid;
        switch (shape) {
            case ROCE_V2 -> bytes.set(INT, IPV4_AT + 16, (int) gid.low());
            case IB_LOCAL -> {}
            case IB_GLOBAL -> {
                bytes.set(LONG, Lrh.LENGTH + 24, gid.high());
                bytes.set(LONG, Lrh.LENGTH + 32, gid.low());
            }
        }
    }

    /// Ends a frame whose transport packet has this length, ICRC included: lengths and checksums
    /// are right afterwards, as a sender's are.
    void seal(int ofLength) {
        transportLength = ofLength;
        isSpoiled = false;
        int icrcAt = transportAt + transportLength - Icrc.LENGTH;
        length = transportAt + transportLength;
        switch (shape) {
            case ROCE_V2 -> {
                int udp = Udp.LENGTH + transportLength;
                bytes.set(SHORT, UDP_AT + 4, (short) udp);
                bytes.set(SHORT, IPV4_AT + 2, (short) (Ipv4.LENGTH + udp));
                bytes.set(SHORT, IPV4_AT + 10, (short) 0);
                long sum = InternetChecksum.add(0, bytes, IPV4_AT, Ipv4.LENGTH);
                bytes.set(SHORT, IPV4_AT + 10, (short) InternetChecksum.fold(sum));
            }
            case IB_LOCAL -> bytes.set(SHORT, 4, (short) (length / 4));
            case IB_GLOBAL -> {
                bytes.set(SHORT, 4, (short) (length / 4));
                bytes.set(SHORT, Lrh.LENGTH + 4, (short) transportLength);
            }
        }
        int networkAt = shape == Shape.ROCE_V2 ? IPV4_AT : 0;
        Icrc.store(bytes, icrcAt, icrc.compute(shape.encapsulation, bytes, networkAt, icrcAt));
        sealLink();
    }

    private void sealLink() {
        if (shape != Shape.ROCE_V2) {
            Vcrc.store(bytes, length, Vcrc.compute(bytes, 0, length));
            length += Vcrc.LENGTH;
        }
    }

    /// Flips bits of a byte of the transport packet of a sealed frame; links still find it sound.
    void spoil(int at, int bits) {
        isSpoiled = true;
        long where = transportAt + (long) at;
        bytes.set(
                ValueLayout.JAVA_BYTE,
                where,
                (byte) (bytes.get(ValueLayout.JAVA_BYTE, where) ^ bits));
        if (shape != Shape.ROCE_V2) {
            length -= Vcrc.LENGTH;
            sealLink();
        }
    }

    /// The frame as the device gets it.
    InboundPacket receive() {
        PacketView view = inbound.view();
        Verdict verdict =
                shape == Shape.ROCE_V2
                        ? view.wrapEthernet(bytes, 0, length)
                        : view.wrapInfiniBand(bytes, 0, length);
        boolean covered =
                switch (verdict.category()) {
                    case ACCEPTED, ILLEGAL, UNSUPPORTED -> view.hasBth();
                    case FOREIGN, MALFORMED, CORRUPT -> false;
                };
        if (covered) {
            Verdict integrity = view.integrity(icrc);
            inbound.verdict(integrity.isOk() ? verdict : integrity);
        } else {
            inbound.verdict(verdict);
        }
        return switch (shape) {
            case ROCE_V2 -> inbound.from(0, 0, mapped(12)).to(0, mapped(16));
            case IB_LOCAL -> inbound.from(bytes.get(SHORT, 6) & 0xFFFF, 0, 0).to(0, 0);
            case IB_GLOBAL ->
                    inbound.from(
                                    bytes.get(SHORT, 6) & 0xFFFF,
                                    bytes.get(LONG, Lrh.LENGTH + 8),
                                    bytes.get(LONG, Lrh.LENGTH + 16))
                            .to(bytes.get(LONG, Lrh.LENGTH + 24), bytes.get(LONG, Lrh.LENGTH + 32));
        };
    }

    /// An address of the IPv4 header as a GID.
    private long mapped(int field) {
        return 0xFFFF_0000_0000L | (bytes.get(INT, IPV4_AT + field) & 0xFFFF_FFFFL);
    }

    private static Envelope envelope(Shape shape, Node from, Node to) {
        Lrh lrh =
                new Lrh(
                        0,
                        0,
                        0,
                        shape == Shape.IB_GLOBAL ? Lrh.IBA_GLOBAL : Lrh.IBA_LOCAL,
                        to.lid,
                        0,
                        from.lid);
        return switch (shape) {
            case IB_LOCAL -> new Envelope.IbLocal(lrh);
            case IB_GLOBAL ->
                    new Envelope.IbGlobal(
                            lrh,
                            new Grh(
                                    Grh.VERSION,
                                    0,
                                    0,
                                    0,
                                    Grh.IBA_TRANSPORT,
                                    64,
                                    wireGid(from.gid),
                                    wireGid(to.gid)));
            case ROCE_V2 ->
                    new Envelope.RoceV2(
                            Ethernet.of(
                                    new MacAddress(0x0200_0000_0001L),
                                    new MacAddress(0x0200_0000_0002L),
                                    Ethernet.TYPE_IPV4),
                            new Ipv4(
                                    0,
                                    0,
                                    0,
                                    Ipv4.DONT_FRAGMENT,
                                    64,
                                    IP_UDP,
                                    0,
                                    (int) from.gid.low(),
                                    (int) to.gid.low()),
                            new Udp(Udp.ROCE_PORT, Udp.ROCE_PORT, 0, 0));
        };
    }

    private static dev.verbena.wire.Gid wireGid(Gid gid) {
        return new dev.verbena.wire.Gid(gid.high(), gid.low());
    }
}
