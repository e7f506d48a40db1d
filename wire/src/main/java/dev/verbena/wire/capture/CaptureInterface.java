package dev.verbena.wire.capture;

/// The description of one interface in a pcapng section: the link type of its packets and the
/// format of its timestamps.
///
/// `resolution` is if_tsresol as stored: bit 7 chooses powers of two over powers of ten, the rest
/// is the negative exponent.
record CaptureInterface(LinkType linkType, long snapLength, int resolution, long offsetSeconds) {
    static final int RESOLUTION_DEFAULT = 6;

    /// The result of [#toNs] when the time does not fit; every time that fits is later than this.
    static final long OUT_OF_RANGE = Long.MIN_VALUE;

    private static final int BINARY = 0x80;
    private static final int EXPONENT = 0x7F;
    private static final int NS_EXPONENT = 9;
    private static final int DECIMAL_DIGITS_MAX = 19;
    private static final long NS_PER_SECOND = 1_000_000_000;
    private static final long SECONDS_MAX = Long.MAX_VALUE / NS_PER_SECOND;

    /// Nanoseconds since 1970 of an unsigned count of ticks, rounded down, or [#OUT_OF_RANGE].
    long toNs(long ticks) {
        int exponent = resolution & EXPONENT;
        long ns = (resolution & BINARY) != 0 ? binary(ticks, exponent) : decimal(ticks, exponent);
        if (ns < 0 || offsetSeconds > SECONDS_MAX || offsetSeconds < -SECONDS_MAX) {
            return OUT_OF_RANGE;
        }
        long sum = ns + offsetSeconds * NS_PER_SECOND;
        // Only a positive offset can overflow, since the ticks are not negative.
        return offsetSeconds > 0 && sum < 0 ? OUT_OF_RANGE : sum;
    }

    /// Negative when the result needs more than 63 bits.
    private static long decimal(long ticks, int exponent) {
        if (exponent <= NS_EXPONENT) {
            long factor = powerOfTen(NS_EXPONENT - exponent);
            long high = Math.unsignedMultiplyHigh(ticks, factor);
            return high != 0 ? -1 : ticks * factor;
        }
        int digits = exponent - NS_EXPONENT;
        // 2^64 has twenty digits: beyond that every tick count is less than a nanosecond.
        return digits > DECIMAL_DIGITS_MAX ? 0 : Long.divideUnsigned(ticks, powerOfTen(digits));
    }

    /// Negative when the result needs more than 63 bits.
    private static long binary(long ticks, int exponent) {
        long high = Math.unsignedMultiplyHigh(ticks, NS_PER_SECOND);
        long low = ticks * NS_PER_SECOND;
        if (exponent >= Long.SIZE) {
            return high >>> (exponent - Long.SIZE);
        }
        if (high >>> exponent != 0) {
            return -1;
        }
        // A shift by 64 would be one by 0, hence the case of its own.
        return exponent == 0 ? low : (high << (Long.SIZE - exponent)) | (low >>> exponent);
    }

    private static long powerOfTen(int exponent) {
        long power = 1;
        for (int i = 0; i < exponent; i++) {
            power *= 10;
        }
        return power;
    }
}
