package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Variant CRC (IBA 7.8.2): sixteen bits over a whole native packet, made anew at every hop.
///
/// Generator x^16+x^12+x^3+x+1, register preset to ones, bits taken least significant first, result
/// complemented. The two bytes are stored least significant first, by analogy with the ICRC; no
/// capture from hardware was at hand to confirm that order.
public final class Vcrc {
    public static final int LENGTH = 2;

    private static final int REFLECTED_GENERATOR = 0xD008;
    private static final char[] TABLE = table();
    private static final ValueLayout.OfShort STORED =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Vcrc() {}

    public static int compute(MemorySegment segment, long at, long length) {
        int register = 0xFFFF;
        for (long i = at; i < at + length; i++) {
            register = (register >>> 8) ^ TABLE[(register ^ BigEndian.u8(segment, i)) & 0xFF];
        }
        return ~register & 0xFFFF;
    }

    /// Whether a native packet's VCRC, which follows its ICRC, fits its bytes.
    public static boolean isRight(PacketView view) {
        long vcrcAt = view.icrcAt() + Icrc.LENGTH;
        long start = view.networkAt();
        return compute(view.segment(), start, vcrcAt - start) == stored(view.segment(), vcrcAt);
    }

    public static int stored(MemorySegment segment, long at) {
        return segment.get(STORED, at) & 0xFFFF;
    }

    public static void store(MemorySegment segment, long at, int vcrc) {
        segment.set(STORED, at, (short) vcrc);
    }

    private static char[] table() {
        char[] table = new char[256];
        for (int i = 0; i < table.length; i++) {
            int register = i;
            for (int bit = 0; bit < 8; bit++) {
                register = (register >>> 1) ^ ((register & 1) * REFLECTED_GENERATOR);
            }
            table[i] = (char) register;
        }
        return table;
    }
}
