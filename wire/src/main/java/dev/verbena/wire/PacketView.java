package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// A packet in place: finds the headers in received bytes, and allocates nothing.
///
/// One view is used for packet after packet. A `wrap…` method is the entry: it checks every length
/// and code that can be checked on a single packet, and returns a [Verdict]. Accessors that are
/// valid afterwards:
///
/// | verdict | accessors that hold |
/// |---|---|
/// | `OK` or category `ILLEGAL`, of a transport packet | all but those of absent headers |
/// | `OK`, of a control frame | [#ethernetAt], [#controlAt], [#controlLength] |
/// | any other, while [#hasBth] | [#bthAt], [#icrcAt], [#opcode], [#destQp], [#psn] |
/// | any other | none |
///
/// A receiver of Ethernet frames therefore also checks [#kind], and [Encapsulation#BARE] packets
/// have no network headers. Asking for a header that is not present is a mistake of the caller and
/// raises a [WireException].
///
/// Offsets are positions in [#segment], ready for the static accessors of the header types:
/// `Reth.rkey(view.segment(), view.at(ExtendedHeader.RETH))`. The view holds the segment without
/// copying it, so the bytes must stay as they are while it is used.
public final class PacketView {
    static final long NOWHERE = -1;

    private static final long SOLICITED = (long) Bth.SOLICITED << 48;

    MemorySegment segment = MemorySegment.NULL;
    PacketKind kind = PacketKind.NONE;
    Encapsulation encapsulation = Encapsulation.BARE;
    Opcode opcode = Opcode.of(0);

    /// The twelve bytes of the BTH, read once.
    private long bthFirst;

    private int bthRest;

    /// Ethernet header, or nowhere on native links.
    long ethernetAt = NOWHERE;

    /// First byte that the ICRC may cover: LRH, GRH of RoCE v1, or IP header.
    long networkAt = NOWHERE;

    /// MAC control or LLDP body behind an Ethernet header.
    long controlAt = NOWHERE;

    int controlLength;
    long bthAt = NOWHERE;
    long payloadAt = NOWHERE;
    int payloadLength;
    long icrcAt = NOWHERE;

    /// Where [#payloadAt] counts in: the segment itself unless headers and payload came apart.
    MemorySegment payloadSegment = MemorySegment.NULL;

    boolean phantom;

    /// A view of nothing yet.
    public PacketView() {}

    /// Wraps a frame from its Ethernet header on, without its FCS; trailing padding is allowed.
    public Verdict wrapEthernet(MemorySegment bytes, long at, int length) {
        reset(bytes, at, length);
        return NetworkChecks.ethernet(this, at, at + length);
    }

    /// Wraps a native packet from its LRH through its VCRC.
    public Verdict wrapInfiniBand(MemorySegment bytes, long at, int length) {
        reset(bytes, at, length);
        return NetworkChecks.infiniBand(this, at, at + length);
    }

    /// Wraps a transport packet from its BTH through its ICRC, as a UDP socket delivers it.
    public Verdict wrapTransport(MemorySegment bytes, long at, int length) {
        reset(bytes, at, length);
        return TransportChecks.check(this, at, at + length);
    }

    /// Wraps a packet whose headers (from the BTH) and payload lie apart, without pad and ICRC, as
    /// a simulated link delivers it, where integrity is a flag.
    public Verdict wrapApart(
            MemorySegment headers,
            long at,
            int headersLength,
            MemorySegment payload,
            long payloadFrom,
            int payloadBytes) {
        reset(headers, at, headersLength);
        Objects.checkFromIndexSize(payloadFrom, payloadBytes, payload.byteSize());
        Verdict verdict = TransportChecks.checkApart(this, at, headersLength, payloadBytes);
        if (payloadAt != NOWHERE) {
            payloadSegment = payload;
            payloadAt = payloadFrom;
        }
        return verdict;
    }

    /// Wraps headers whose payload has a length and no bytes.
    public Verdict wrapPhantom(
            MemorySegment headers, long at, int headersLength, int payloadBytes) {
        reset(headers, at, headersLength);
        Verdict verdict = TransportChecks.checkApart(this, at, headersLength, payloadBytes);
        if (payloadAt != NOWHERE) {
            payloadSegment = MemorySegment.NULL;
            payloadAt = 0;
            phantom = true;
        }
        return verdict;
    }

    /// Forgets the packet, so that the view keeps none of its memory alive.
    public void release() {
        reset(MemorySegment.NULL, 0, 0);
    }

    private void reset(MemorySegment bytes, long at, int length) {
        segment = MemorySegment.NULL;
        payloadSegment = MemorySegment.NULL;
        phantom = false;
        kind = PacketKind.NONE;
        encapsulation = Encapsulation.BARE;
        ethernetAt = NOWHERE;
        networkAt = NOWHERE;
        controlAt = NOWHERE;
        controlLength = 0;
        bthAt = NOWHERE;
        payloadAt = NOWHERE;
        payloadLength = 0;
        icrcAt = NOWHERE;
        Objects.checkFromIndexSize(at, length, bytes.byteSize());
        segment = bytes;
        payloadSegment = bytes;
    }

    public MemorySegment segment() {
        return segment;
    }

    public PacketKind kind() {
        return kind;
    }

    public Encapsulation encapsulation() {
        return encapsulation;
    }

    public boolean hasEthernet() {
        return ethernetAt != NOWHERE;
    }

    public long ethernetAt() {
        return present(ethernetAt, "Ethernet header");
    }

    /// Where the LRH is, or in RoCE the GRH or IP header.
    public long networkAt() {
        return present(networkAt, "network header");
    }

    /// Where the GRH is; only global InfiniBand and RoCE v1 have one.
    public long grhAt() {
        return switch (encapsulation) {
            case IB_GLOBAL -> present(networkAt, "GRH") + Lrh.LENGTH;
            case ROCE_V1 -> present(networkAt, "GRH");
            default -> present(NOWHERE, "GRH");
        };
    }

    /// Where the UDP header is; only RoCE v2 frames have one.
    public long udpAt() {
        return switch (encapsulation) {
            case ROCE_V2_IPV4 -> present(networkAt, "UDP header") + Ipv4.LENGTH;
            case ROCE_V2_IPV6 -> present(networkAt, "UDP header") + Ipv6.LENGTH;
            default -> present(NOWHERE, "UDP header");
        };
    }

    /// Where the body of a pause, PFC or LLDP frame is.
    public long controlAt() {
        return present(controlAt, "control body");
    }

    public int controlLength() {
        return controlLength;
    }

    public boolean hasBth() {
        return bthAt != NOWHERE;
    }

    public long bthAt() {
        return present(bthAt, "BTH");
    }

    public Opcode opcode() {
        present(bthAt, "BTH");
        return opcode;
    }

    public int destQp() {
        present(bthAt, "BTH");
        return (int) bthFirst & 0xFF_FFFF;
    }

    public int psn() {
        present(bthAt, "BTH");
        return bthRest & Psn.MASK;
    }

    public int pkey() {
        present(bthAt, "BTH");
        return (int) (bthFirst >>> 32) & 0xFFFF;
    }

    public boolean isAckRequest() {
        present(bthAt, "BTH");
        return bthRest < 0;
    }

    public boolean isSolicited() {
        present(bthAt, "BTH");
        return (bthFirst & SOLICITED) != 0;
    }

    /// Reads the BTH at `at`, of which twelve bytes are there.
    void readBth(long at) {
        bthAt = at;
        bthFirst = BigEndian.i64(segment, at);
        bthRest = BigEndian.i32(segment, at + Long.BYTES);
        opcode = Opcode.of((int) (bthFirst >>> 56));
    }

    int bthVersion() {
        return (int) (bthFirst >>> 48) & 0xF;
    }

    int padCount() {
        return (int) (bthFirst >>> 52) & 3;
    }

    public boolean has(ExtendedHeader header) {
        return payloadAt != NOWHERE && opcode.has(header);
    }

    /// Where an extended header is; ask [#has] first.
    public long at(ExtendedHeader header) {
        present(payloadAt, header.title());
        return bthAt + Bth.LENGTH + opcode.offsetOf(header);
    }

    /// Where the payload is, in [#payloadSegment].
    public long payloadAt() {
        return present(payloadAt, "payload");
    }

    /// The segment that [#payloadAt] refers to: [#segment], unless headers and payload were passed
    /// separately.
    public MemorySegment payloadSegment() {
        return payloadSegment;
    }

    /// Whether the payload has a length and no bytes.
    public boolean isPhantom() {
        return phantom;
    }

    /// Payload bytes without the pad.
    public int payloadLength() {
        return payloadLength;
    }

    public long icrcAt() {
        return present(icrcAt, "ICRC");
    }

    /// Bytes from the BTH through the ICRC.
    public int transportLength() {
        return (int) (icrcAt() + Icrc.LENGTH - bthAt());
    }

    /// Compares the checksums with the bytes: VCRC first, as a link would, then ICRC. Control
    /// frames have none but Ethernet's, which is gone by now.
    ///
    /// A [Encapsulation#BARE] packet needs its network headers from elsewhere: see
    /// [Icrc#isRight(IcrcPseudoHeader, int, PacketView)].
    public Verdict integrity(Icrc icrc) {
        if (controlAt != NOWHERE) {
            return Verdict.OK;
        }
        if (encapsulation.isNative() && !Vcrc.isRight(this)) {
            return Verdict.VCRC_WRONG;
        }
        return icrc.isRight(this) ? Verdict.OK : Verdict.ICRC_WRONG;
    }

    private static long present(long at, String what) {
        if (at == NOWHERE) {
            throw new WireException("this packet has no " + what + "; look at its verdict first");
        }
        return at;
    }
}
