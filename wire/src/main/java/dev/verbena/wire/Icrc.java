package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/// Invariant CRC (IBA 7.8.1): thirty-two bits over everything that must not change on the way.
///
/// It is Ethernet's CRC-32 over the network headers, BTH, extended headers, payload and pad, with
/// the bits of [IcrcSeed] taken as ones; where there is no LRH, or a GRH makes the LRH variant,
/// eight bytes of ones stand for it. The value is stored least significant byte first.
///
/// A calculator keeps state, so use one per thread. It allocates nothing per packet as long as
/// packets lie in the same few segments, so hand it a whole ring with an offset rather than a slice
/// for each. Read-only heap segments cost a copy, which the JDK makes.
public final class Icrc {
    public static final int LENGTH = 4;

    private static final ValueLayout.OfInt STORED =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// The longest UDP payload; a longer one has no length field that could be summed up.
    private static final int UDP_PAYLOAD_MAX = 0xFFFF - Udp.LENGTH;

    private final CRC32 crc = new CRC32();
    private final BufferViews views = new BufferViews();

    /// Bytes that were announced and not added yet.
    private long missing;

    /// A calculator with nothing in it yet.
    public Icrc() {}

    /// The ICRC that belongs on a wrapped packet.
    public int compute(PacketView view) {
        return compute(view.encapsulation(), view.segment(), view.networkAt(), view.icrcAt());
    }

    public boolean isRight(PacketView view) {
        return compute(view) == stored(view.segment(), view.icrcAt());
    }

    /// The ICRC over bytes that start at `networkAt` (LRH, or in RoCE the GRH or IP header) and end
    /// before `icrcAt`.
    public int compute(
            Encapsulation encapsulation, MemorySegment segment, long networkAt, long icrcAt) {
        // With a GRH the whole LRH counts as ones, so both forms start at the GRH.
        long at = encapsulation == Encapsulation.IB_GLOBAL ? networkAt + Lrh.LENGTH : networkAt;
        return behind(IcrcSeed.of(encapsulation, segment, at), segment, at, icrcAt - at);
    }

    /// The ICRC of a packet whose network headers are not at hand: `segment` holds `length` bytes
    /// from the BTH up to the ICRC.
    public int compute(
            IcrcPseudoHeader header, int ipv4Id, MemorySegment segment, long bthAt, int length) {
        return behind(header.seed(ipv4Id, segment, bthAt, length), segment, bthAt, length);
    }

    /// Whether a bare packet's ICRC fits a pseudo header and an IPv4 identification.
    public boolean isRight(IcrcPseudoHeader header, int ipv4Id, PacketView view) {
        if (view.transportLength() > UDP_PAYLOAD_MAX) {
            return false;
        }
        int computed =
                compute(
                        header,
                        ipv4Id,
                        view.segment(),
                        view.bthAt(),
                        view.transportLength() - LENGTH);
        return computed == stored(view.segment(), view.icrcAt());
    }

    /// Starts an ICRC over scattered pieces with the network headers and the first piece, which
    /// holds at least the BTH. The rest follows by [#add] in wire order.
    ///
    /// @param piece bytes of the first piece, from the BTH on
    /// @param length bytes of all pieces, up to the ICRC
    public void start(
            IcrcPseudoHeader header,
            int ipv4Id,
            MemorySegment segment,
            long bthAt,
            int piece,
            int length) {
        crc.reset();
        if (piece == Bth.LENGTH) {
            CrcSeed.put(crc, header.seedBehindBth(ipv4Id, segment, bthAt, length));
            missing = (long) length - Bth.LENGTH;
        } else {
            CrcSeed.put(crc, header.seed(ipv4Id, segment, bthAt, length));
            missing = length;
            add(segment, bthAt, piece);
        }
    }

    /// Adds a piece: extended headers, payload or pad.
    public void add(MemorySegment segment, long at, long length) {
        // Most packets have no pad; looking for its buffer would take longer than a small CRC.
        if (length != 0) {
            crc.update(views.of(segment, at, length));
            missing -= length;
        }
    }

    /// The ICRC of the pieces, once all that were announced have been added.
    public int value() {
        assert missing == 0 : missing + " bytes of the announced length were not added";
        return (int) crc.getValue();
    }

    private int behind(int seed, MemorySegment segment, long at, long length) {
        crc.reset();
        CrcSeed.put(crc, seed);
        crc.update(views.of(segment, at, length));
        return (int) crc.getValue();
    }

    public static int stored(MemorySegment segment, long at) {
        return segment.get(STORED, at);
    }

    public static void store(MemorySegment segment, long at, int icrc) {
        segment.set(STORED, at, icrc);
    }
}
