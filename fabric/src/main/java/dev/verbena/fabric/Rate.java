package dev.verbena.fabric;

/// The rate of a link.
///
/// @param bitsPerSecond data rate, without the line coding
public record Rate(long bitsPerSecond) {
    private static final long PS_BITS = 8_000_000_000_000L;

    public Rate {
        if (bitsPerSecond < 1_000_000 || bitsPerSecond > 100_000_000_000_000L) {
            throw new IllegalArgumentException(
                    "a link of %d bit/s: use 1 Mb/s to 100 Tb/s".formatted(bitsPerSecond));
        }
    }

    public static Rate gbits(long value) {
        return new Rate(value * 1_000_000_000L);
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
        return bitsPerSecond % 1_000_000_000L == 0
                ? bitsPerSecond / 1_000_000_000L + " Gb/s"
                : bitsPerSecond + " b/s";
    }
}
