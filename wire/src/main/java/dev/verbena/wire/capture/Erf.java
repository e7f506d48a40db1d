package dev.verbena.wire.capture;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;

/// The extensible record format around a packet of link type ERF, which gives the type of the
/// packet.
///
/// | byte | field |
/// |---|---|
/// | 0 | timestamp, 8 bytes little-endian: 32 bits of seconds, then 32 bits of fraction |
/// | 8 | type; bit 7 announces an extension header |
/// | 9 | flags |
/// | 10 | record length with header and padding |
/// | 12 | loss counter |
/// | 14 | wire length of the packet |
///
/// Extension headers of 8 bytes follow, each but the last with bit 7 of its first byte set, then
/// the packet, then padding to a multiple of 8. After [#check] has said OK, no accessor can fail.
public final class Erf {
    public static final int LENGTH = 16;
    public static final int ETHERNET = 2;
    public static final int INFINIBAND = 21;
    public static final int INFINIBAND_LINK = 25;

    /// The record is as long as its packet needs, not cut or filled to a fixed size.
    public static final int FLAG_VARYING_LENGTH = 0x04;

    /// The largest record that 16 bits of length and padding to 8 allow.
    public static final int RECORD_BYTES_MAX = 0xFFF8;

    /// How long a link packet is on the wire: four bytes of credits and the LPCRC.
    public static final int LINK_PACKET_BYTES = 6;

    /// How long a link packet is made in a record, since Wireshark reads beyond the six bytes that
    /// it has and would call it malformed.
    public static final int LINK_PACKET_BYTES_PADDED = 64;

    static final int TIMESTAMP = 0;
    static final int TYPE = 8;
    static final int FLAGS = 9;
    static final int RECORD_LENGTH = 10;
    static final int LOSS_COUNTER = 12;
    static final int WIRE_LENGTH = 14;

    private static final int EXTENSION_BYTES = 8;
    private static final int EXTENSION_FOLLOWS = 0x80;
    private static final int TYPE_MASK = 0x7F;

    /// An Ethernet frame is preceded by an offset and a pad byte, both unused.
    private static final int ETHERNET_PAD_BYTES = 2;

    private static final long NS_PER_SECOND = 1_000_000_000;
    private static final long SECONDS_MAX = 0xFFFF_FFFFL;
    private static final long HALF = 1L << 31;

    private Erf() {}

    /// Checks the record in the `length` captured bytes from `at` on.
    public static ErfVerdict check(MemorySegment segment, long at, long length) {
        if (length < LENGTH) {
            return ErfVerdict.HEADER_TRUNCATED;
        }
        int recordLength = recordLength(segment, at);
        if (recordLength < LENGTH) {
            return ErfVerdict.RECORD_LENGTH;
        }
        int headers = LENGTH;
        boolean more = hasExtension(segment, at);
        while (more) {
            if (recordLength - headers < EXTENSION_BYTES) {
                return ErfVerdict.EXTENSION_TRUNCATED;
            }
            if (headers >= length) {
                return ErfVerdict.RECORD_TRUNCATED;
            }
            more = (BigEndian.u8(segment, at + headers) & EXTENSION_FOLLOWS) != 0;
            headers += EXTENSION_BYTES;
        }
        int pad = type(segment, at) == ETHERNET ? ETHERNET_PAD_BYTES : 0;
        if (recordLength - headers < pad) {
            return ErfVerdict.PAD_TRUNCATED;
        }
        // The record's length counts padding that not every capture keeps; the packet must be
        // there.
        int room = recordLength - headers - pad;
        if (headers + pad + Math.min(room, wireLength(segment, at)) > length) {
            return ErfVerdict.RECORD_TRUNCATED;
        }
        return switch (type(segment, at)) {
            case ETHERNET, INFINIBAND, INFINIBAND_LINK -> ErfVerdict.OK;
            default -> ErfVerdict.TYPE_FOREIGN;
        };
    }

    /// The fixed-point time as stored; [#toNs] makes nanoseconds of it.
    public static long timestamp(MemorySegment segment, long at) {
        return LittleEndian.i64(segment, at + TIMESTAMP);
    }

    public static int type(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + TYPE) & TYPE_MASK;
    }

    public static boolean hasExtension(MemorySegment segment, long at) {
        return (BigEndian.u8(segment, at + TYPE) & EXTENSION_FOLLOWS) != 0;
    }

    public static int flags(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + FLAGS);
    }

    public static int recordLength(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + RECORD_LENGTH);
    }

    public static int lossCounter(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + LOSS_COUNTER);
    }

    public static int wireLength(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + WIRE_LENGTH);
    }

    /// Where the packet starts, in the same segment.
    public static long payloadAt(MemorySegment segment, long at) {
        long payloadAt = at + LENGTH;
        boolean more = hasExtension(segment, at);
        while (more) {
            more = (BigEndian.u8(segment, payloadAt) & EXTENSION_FOLLOWS) != 0;
            payloadAt += EXTENSION_BYTES;
        }
        return type(segment, at) == ETHERNET ? payloadAt + ETHERNET_PAD_BYTES : payloadAt;
    }

    /// How many bytes of the packet the record holds, padding not counted.
    ///
    /// Less than the wire length when the capture was cut, or when a link packet was filled up.
    public static int payloadLength(MemorySegment segment, long at) {
        int room = recordLength(segment, at) - (int) (payloadAt(segment, at) - at);
        int length = Math.min(room, wireLength(segment, at));
        return type(segment, at) == INFINIBAND_LINK ? Math.min(length, LINK_PACKET_BYTES) : length;
    }

    /// How long the record around a packet becomes, padding counted.
    public static int recordLength(int type, int payloadLength) {
        WireException.requireBits("ERF type", type, 7);
        if (payloadLength < 0 || payloadLength > RECORD_BYTES_MAX) {
            throw new WireException(
                    "ERF packet of %d bytes; the limit of its record is %d"
                            .formatted(payloadLength, RECORD_BYTES_MAX));
        }
        int pad = type == ETHERNET ? ETHERNET_PAD_BYTES : 0;
        int length = (LENGTH + pad + wireLength(type, payloadLength) + 7) & ~7;
        if (length > RECORD_BYTES_MAX) {
            throw new WireException(
                    "ERF record of %d bytes; the limit is %d".formatted(length, RECORD_BYTES_MAX));
        }
        return length;
    }

    /// Writes a whole record, from the header to the padding, and returns its length.
    ///
    /// The wire length is the payload's, so an Ethernet frame that is to look like one of a capture
    /// card brings its frame check sequence. A link packet is filled up to
    /// [#LINK_PACKET_BYTES_PADDED], which is then its wire length too: Wireshark cuts a packet to
    /// that.
    public static int emit(
            MemorySegment target,
            long targetAt,
            int type,
            long timestampNs,
            MemorySegment payload,
            long payloadAt,
            int payloadLength) {
        int recordLength = recordLength(type, payloadLength);
        int start = type == ETHERNET ? LENGTH + ETHERNET_PAD_BYTES : LENGTH;
        LittleEndian.put64(target, targetAt + TIMESTAMP, fromNs(timestampNs));
        BigEndian.put8(target, targetAt + TYPE, type);
        BigEndian.put8(target, targetAt + FLAGS, FLAG_VARYING_LENGTH);
        BigEndian.put16(target, targetAt + RECORD_LENGTH, recordLength);
        BigEndian.put16(target, targetAt + LOSS_COUNTER, 0);
        BigEndian.put16(target, targetAt + WIRE_LENGTH, wireLength(type, payloadLength));
        clear(target, targetAt + LENGTH, targetAt + start);
        MemorySegment.copy(payload, payloadAt, target, targetAt + start, payloadLength);
        clear(target, targetAt + start + payloadLength, targetAt + recordLength);
        return recordLength;
    }

    private static void clear(MemorySegment segment, long from, long to) {
        for (long at = from; at < to; at++) {
            BigEndian.put8(segment, at, 0);
        }
    }

    private static int wireLength(int type, int payloadLength) {
        return type == INFINIBAND_LINK
                ? Math.max(payloadLength, LINK_PACKET_BYTES_PADDED)
                : payloadLength;
    }

    /// Nanoseconds since 1970 of an ERF timestamp, to the nearest.
    public static long toNs(long timestamp) {
        // The fraction of a second times 10^9 stays below 2^62, and the sum below 2^63.
        long fraction = timestamp & SECONDS_MAX;
        return (timestamp >>> 32) * NS_PER_SECOND + ((fraction * NS_PER_SECOND + HALF) >>> 32);
    }

    /// The ERF timestamp nearest to a time, which [#toNs] turns back into the same nanosecond.
    public static long fromNs(long timestampNs) {
        long seconds = timestampNs / NS_PER_SECOND;
        if (timestampNs < 0 || seconds > SECONDS_MAX) {
            throw new WireException(
                    "timestamp %d ns does not fit ERF, whose seconds have 32 bits"
                            .formatted(timestampNs));
        }
        // A unit of the fraction is 0.23 ns, so rounding to it loses less than half a nanosecond.
        long fraction = (((timestampNs % NS_PER_SECOND) << 32) + NS_PER_SECOND / 2) / NS_PER_SECOND;
        return (seconds << 32) | fraction;
    }
}
