package dev.verbena.virtual;

import dev.verbena.verbs.InvalidRequestException;
import java.time.Duration;

/// The faults of a virtual network, and the seed that decides which packets they hit.
///
/// Probabilities are of each packet by itself, 0 to 1.
///
/// @param seed decides keys, numbers and the fates of packets
/// @param loss that a packet does not arrive
/// @param duplicate that a second copy arrives a while later
/// @param reorder that a packet takes a detour, so that later ones may overtake it
/// @param corrupt that one bit of a packet is flipped, which the receiver's ICRC check finds
/// @param delay how long a packet takes; a detour adds up to ten times as much
public record VirtualSettings(
        long seed, double loss, double duplicate, double reorder, double corrupt, Duration delay) {
    /// The longest delay; anything longer is a mistake in the unit.
    public static final Duration DELAY_MAX = Duration.ofSeconds(10);

    /// Seed 1, no faults, one microsecond.
    public static final VirtualSettings DEFAULT =
            new VirtualSettings(1, 0, 0, 0, 0, Duration.ofNanos(1_000));

    public VirtualSettings {
        requireProbability("loss", loss);
        requireProbability("duplicate", duplicate);
        requireProbability("reorder", reorder);
        requireProbability("corrupt", corrupt);
        if (delay.isNegative() || delay.compareTo(DELAY_MAX) > 0) {
            throw new InvalidRequestException(
                    "virtual network", "a delay of " + delay, "use 0 to " + DELAY_MAX);
        }
    }

    public VirtualSettings withSeed(long value) {
        return new VirtualSettings(value, loss, duplicate, reorder, corrupt, delay);
    }

    public VirtualSettings withLoss(double value) {
        return new VirtualSettings(seed, value, duplicate, reorder, corrupt, delay);
    }

    public VirtualSettings withDuplicate(double value) {
        return new VirtualSettings(seed, loss, value, reorder, corrupt, delay);
    }

    public VirtualSettings withReorder(double value) {
        return new VirtualSettings(seed, loss, duplicate, value, corrupt, delay);
    }

    public VirtualSettings withCorrupt(double value) {
        return new VirtualSettings(seed, loss, duplicate, reorder, value, delay);
    }

    public VirtualSettings withDelay(Duration value) {
        return new VirtualSettings(seed, loss, duplicate, reorder, corrupt, value);
    }

    private static void requireProbability(String what, double value) {
        // Written so that NaN is refused as well.
        if (!(value >= 0 && value <= 1)) {
            throw new InvalidRequestException(
                    "virtual network", what + " " + value + " is no probability", "use 0 to 1");
        }
    }
}
