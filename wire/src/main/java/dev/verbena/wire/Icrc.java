package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;

/// Invariant CRC (IBA 7.8.1): thirty-two bits over everything that must not change on the way.
///
/// It is Ethernet's CRC-32 over the network headers, BTH, extended headers, payload and pad, with
/// the bits of [IcrcMasks] taken as ones; where there is no LRH, or a GRH makes the LRH variant,
/// eight bytes of ones stand for it. The value is stored least significant byte first.
///
/// A calculator keeps scratch memory, so use one per thread. It allocates nothing per packet.
public final class Icrc {
    public static final int LENGTH = 4;

    /// Room for the ones that stand for an LRH.
    static final int LRH_ONES = 8;

    private static final ValueLayout.OfInt STORED =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final CRC32 crc = new CRC32();
    private final byte[] masked = new byte[LRH_ONES + Ipv6.LENGTH + Udp.LENGTH + 8];

    public Icrc() {
        Arrays.fill(masked, 0, LRH_ONES, (byte) 0xFF);
    }

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
        long[] masks = IcrcMasks.of(encapsulation);
        for (int i = 0; i < masks.length; i++) {
            long word = BigEndian.i64(segment, at + 8L * i) | masks[i];
            LONGS.set(masked, LRH_ONES + 8 * i, word);
        }
        int maskedBytes = 8 * masks.length;
        int skip = encapsulation == Encapsulation.IB_LOCAL ? LRH_ONES : 0;
        crc.reset();
        crc.update(masked, skip, LRH_ONES - skip + maskedBytes);
        add(segment, at + maskedBytes, icrcAt - at - maskedBytes);
        return value();
    }

    /// The ICRC of a packet whose network headers are not at hand: `segment` holds `length` bytes
    /// from the BTH up to the ICRC.
    public int compute(
            IcrcPseudoHeader header, int ipv4Id, MemorySegment segment, long bthAt, int length) {
        start(header, ipv4Id, segment, bthAt, length);
        add(segment, bthAt + Bth.LENGTH, length - Bth.LENGTH);
        return value();
    }

    /// Whether a bare packet's ICRC fits a pseudo header and an IPv4 identification.
    public boolean isRight(IcrcPseudoHeader header, int ipv4Id, PacketView view) {
        int computed =
                compute(
                        header,
                        ipv4Id,
                        view.segment(),
                        view.bthAt(),
                        view.transportLength() - LENGTH);
        return computed == stored(view.segment(), view.icrcAt());
    }

    /// Starts an ICRC over scattered pieces: the network headers and the BTH. The rest follows by
    /// [#add] in wire order; `length` counts all bytes from the BTH up to the ICRC.
    public void start(
            IcrcPseudoHeader header, int ipv4Id, MemorySegment segment, long bthAt, int length) {
        int bytes = header.fill(ipv4Id, segment, bthAt, length + LENGTH);
        crc.reset();
        crc.update(header.masked(), 0, bytes);
    }

    /// Adds a piece: extended headers, payload or pad.
    public void add(MemorySegment segment, long at, long length) {
        // The slice and the buffer are short-lived and do not escape: compiled code makes neither
        // (IcrcBenchmark shows 0 B/op).
        crc.update(segment.asSlice(at, length).asByteBuffer());
    }

    public int value() {
        return (int) crc.getValue();
    }

    public static int stored(MemorySegment segment, long at) {
        return segment.get(STORED, at);
    }

    public static void store(MemorySegment segment, long at, int icrc) {
        segment.set(STORED, at, icrc);
    }
}
