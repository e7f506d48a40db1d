package dev.verbena.fabric;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Something that goes wrong with a cable, in both of its directions.
///
/// @param cable number of the cable in the topology
/// @param value of [Kind#LOSS] the share of packets that are lost, of [Kind#SLOW] the share of the
///   rate that is left; 0 of [Kind#DOWN]
/// @param fromPs when it begins
/// @param untilPs when it is over, or [#FOR_EVER]
public record CableFault(int cable, Kind kind, double value, long fromPs, long untilPs) {
    /// It is never over.
    public static final long FOR_EVER = Long.MAX_VALUE;

    /// Of a cable whose lanes have failed but one, as in InfiniBand's fall from four lanes to one.
    public static final double ONE_LANE = 0.25;

    /// What goes wrong.
    public enum Kind {
        /// Packets are lost at random, each for itself.
        LOSS,
        /// Packets take longer to leave.
        SLOW,
        /// All packets are lost, and both ends know: a host has an event.
        DOWN
    }

    private static final double SLOWEST = 0.001;

    public CableFault {
        boolean isRight =
                switch (kind) {
                    case LOSS -> value > 0 && value <= 1;
                    case SLOW -> value >= SLOWEST && value < 1;
                    case DOWN -> value == 0;
                };
        if (!isRight) {
            String use =
                    switch (kind) {
                        case LOSS -> "use a share above 0, at most 1";
                        case SLOW -> "use a share of the rate from 0.001, below 1";
                        case DOWN -> "use 0";
                    };
            throw new IllegalArgumentException(kind + " of " + value + ": " + use);
        }
        if (fromPs < 0 || untilPs <= fromPs) {
            throw new IllegalArgumentException(
                    "a fault from %d to %d ps: it begins at 0 or later, and ends after that"
                            .formatted(fromPs, untilPs));
        }
    }

    /// Packets of a cable are lost at random from the start.
    public static CableFault loss(int cable, double share) {
        return new CableFault(cable, Kind.LOSS, share, 0, FOR_EVER);
    }

    /// A cable has a share of its rate from the start.
    public static CableFault slow(int cable, double share) {
        return new CableFault(cable, Kind.SLOW, share, 0, FOR_EVER);
    }

    /// A cable is unplugged for a time.
    public static CableFault down(int cable, long fromPs, long untilPs) {
        return new CableFault(cable, Kind.DOWN, 0, fromPs, untilPs);
    }

    /// The same at another time.
    public CableFault during(long from, long until) {
        return new CableFault(cable, kind, value, from, until);
    }

    /// Whether both are at one time.
    boolean collides(Map.@Nullable Entry<Long, CableFault> other) {
        return other != null
                && fromPs < other.getValue().untilPs
                && other.getValue().fromPs < untilPs;
    }
}
