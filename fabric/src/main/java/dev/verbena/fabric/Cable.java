package dev.verbena.fabric;

import java.math.BigDecimal;

/// A cable between two ports.
///
/// @param rate rate of each direction
/// @param delayPs time from one end to the other
public record Cable(Rate rate, long delayPs) {
    /// Light in a fibre and current in copper take about five nanoseconds a metre.
    private static final long PS_PER_METRE = 5000;

    public Cable {
        checkDelay(delayPs);
    }

    static void checkDelay(long delayPs) {
        if (delayPs < 0 || delayPs > 1_000_000_000_000L) {
            throw new IllegalArgumentException(
                    "a delay of %d ps: use 0 to a second".formatted(delayPs));
        }
    }

    public static Cable ofMetres(Rate rate, double metres) {
        return new Cable(rate, delayPs(metres));
    }

    static long delayPs(double metres) {
        return Math.round(metres * PS_PER_METRE);
    }

    /// The length that has a delay, exactly.
    static BigDecimal metres(long delayPs) {
        return BigDecimal.valueOf(delayPs).divide(BigDecimal.valueOf(PS_PER_METRE));
    }
}
