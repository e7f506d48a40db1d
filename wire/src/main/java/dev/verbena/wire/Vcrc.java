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

    /// How many bytes one step takes. There is no intrinsic for this generator, and a native packet
    /// in a capture has it computed from end to end.
    private static final int STEP = 8;

    /// At `256 n + b`: the effect of byte b on the register when n bytes follow it in its step.
    private static final char[] TABLE = table();

    private static final ValueLayout.OfShort STORED =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong EIGHT =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Vcrc() {}

    public static int compute(MemorySegment segment, long at, long length) {
        int register = 0xFFFF;
        long next = at;
        long end = at + length;
        for (; end - next >= STEP; next += STEP) {
            long bytes = segment.get(EIGHT, next) ^ register;
            register = 0;
            for (int i = 0; i < STEP; i++) {
                register ^= TABLE[256 * (STEP - 1 - i) + (int) ((bytes >>> (8 * i)) & 0xFF)];
            }
        }
        for (; next < end; next++) {
            register = (register >>> 8) ^ TABLE[(register ^ BigEndian.u8(segment, next)) & 0xFF];
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
        char[] table = new char[256 * STEP];
        for (int octet = 0; octet < 256; octet++) {
            int register = octet;
            for (int following = 0; following < STEP; following++) {
                for (int bit = 0; bit < 8; bit++) {
                    register = (register >>> 1) ^ ((register & 1) * REFLECTED_GENERATOR);
                }
                table[256 * following + octet] = (char) register;
            }
        }
        return table;
    }
}
