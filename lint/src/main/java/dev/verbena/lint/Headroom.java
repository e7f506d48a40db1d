package dev.verbena.lint;

import dev.verbena.fabric.Cable;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.Rate;
import java.util.Map;
import java.util.OptionalLong;

/// How many bytes may come after a pause.
///
/// The simulator's arithmetic has the packets on the cable and at its ends, and a peer that stops
/// at once. A real peer may take the time that IEEE 802.3 31B.3.7 allows it.
final class Headroom {
    private static final long BITS_OF_MEGABIT = 1_000_000;
    private static final int QUANTUM_BYTES = 512 / 8;

    /// Quanta of 512 bits until a peer must have stopped, by its rate in Mb/s. 800 Gb/s is as
    /// SONiC's calculation for Spectrum has it, which takes the number of 400 Gb/s.
    private static final Map<Long, Integer> QUANTA =
            Map.of(
                    10_000L, 67,
                    25_000L, 80,
                    40_000L, 118,
                    50_000L, 147,
                    100_000L, 394,
                    200_000L, 453,
                    400_000L, 905,
                    800_000L, 905);

    private Headroom() {}

    /// The least that drops nothing with a peer that stops at once.
    static int least(long mbits, double metres) {
        Rate rate = new Rate(mbits * BITS_OF_MEGABIT);
        return FabricSettings.ROCE.withCable(Cable.ofMetres(rate, metres)).neededHeadroom();
    }

    /// Bytes that come while the peer takes all the time that it may; empty for a rate without one.
    static OptionalLong ofReaction(long mbits) {
        Integer quanta = QUANTA.get(mbits);
        return quanta == null
                ? OptionalLong.empty()
                : OptionalLong.of((long) quanta * QUANTUM_BYTES);
    }
}
