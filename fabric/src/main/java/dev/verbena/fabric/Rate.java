package dev.verbena.fabric;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Pattern;

/// The rate of a link.
///
/// @param bitsPerSecond data rate, without the line coding
public record Rate(long bitsPerSecond) {
    private static final long PS_BITS = 8_000_000_000_000L;
    private static final long GIGA = 1_000_000_000L;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}(?:\\.\\d{1,9})?");

    public Rate {
        if (bitsPerSecond < 1_000_000 || bitsPerSecond > 100_000_000_000_000L) {
            throw new IllegalArgumentException(
                    "a link of %d bit/s: use 1 Mb/s to 100 Tb/s".formatted(bitsPerSecond));
        }
    }

    public static Rate gbits(long value) {
        return new Rate(value * GIGA);
    }

    /// Reads a rate in Gb/s, such as `400` or `2.5`, or the name of an InfiniBand link, such as
    /// `4xHDR`, or `HDR` for four lanes.
    public static Rate parse(String text) {
        if (!NUMBER.matcher(text).matches()) {
            return Generation.parse(text);
        }
        BigDecimal bits = new BigDecimal(text).scaleByPowerOfTen(9);
        return new Rate(bits.setScale(0, RoundingMode.HALF_UP).longValue());
    }

    /// Time for a number of bytes, in picoseconds, rounded up.
    public long ps(int bytes) {
        return Math.ceilDiv(bytes * PS_BITS, bitsPerSecond);
    }

    /// Picoseconds for a byte where that is a whole number, else 0.
    int psPerByte() {
        return PS_BITS % bitsPerSecond == 0 ? (int) Math.min(PS_BITS / bitsPerSecond, 1 << 24) : 0;
    }

    @Override
    public String toString() {
        if (bitsPerSecond < GIGA) {
            return bitsPerSecond + " b/s";
        }
        BigDecimal gbits = BigDecimal.valueOf(bitsPerSecond, 9).setScale(3, RoundingMode.HALF_UP);
        return gbits.stripTrailingZeros().toPlainString() + " Gb/s";
    }
}
