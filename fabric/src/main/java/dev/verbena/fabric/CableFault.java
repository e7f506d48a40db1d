package dev.verbena.fabric;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Something that goes wrong with a cable or the NIC at its end, in both of its directions or in
/// one.
///
/// @param cable number of the cable in the topology
/// @param value of [Kind#LOSS] the share of packets that are lost, of [Kind#BIT_ERRORS] the share
///   of bits that are wrong before correction, of [Kind#SLOW] the share of the rate that is left,
///   as of [Kind#SLOW_RECEIVER]; of [Kind#STORM] the priority; 0 of [Kind#DOWN]
/// @param fromPs when it begins
/// @param untilPs when it is over, or [#FOR_EVER]
/// @param side [#BOTH], or the end of the cable whose packets suffer as they leave: 0 or 1
public record CableFault(int cable, Kind kind, double value, long fromPs, long untilPs, int side) {
    /// Both directions.
    public static final int BOTH = -1;

    /// It is never over.
    public static final long FOR_EVER = Long.MAX_VALUE;

    /// Of a cable whose lanes have failed but one, as in InfiniBand's fall from four lanes to one.
    public static final double ONE_LANE = 0.25;

    /// What goes wrong.
    public enum Kind {
        /// Packets are lost at random, each for itself.
        LOSS,
        /// Bits are wrong, and packets are lost that KP4's correction cannot save ([Kp4]).
        BIT_ERRORS,
        /// The NIC at the end of the cable pauses a priority all the time.
        STORM,
        /// The NIC at the end takes packets at a part of the rate.
        SLOW_RECEIVER,
        /// Packets take longer to leave.
        SLOW,
        /// All packets are lost, and both ends know: a host has an event.
        DOWN
    }

    private static final double MOST_BIT_ERRORS = 0.5;
    private static final double SLOWEST = 0.001;

    /// A fault of both directions.
    public CableFault(int cable, Kind kind, double value, long fromPs, long untilPs) {
        this(cable, kind, value, fromPs, untilPs, BOTH);
    }

    public CableFault {
        boolean isRight =
                switch (kind) {
                    case LOSS -> value > 0 && value <= 1;
                    case BIT_ERRORS -> value > 0 && value <= MOST_BIT_ERRORS;
                    case STORM ->
                            value >= 0
                                    && value < EthernetPort.PRIORITIES
                                    && value == Math.rint(value);
                    case SLOW, SLOW_RECEIVER -> value >= SLOWEST && value < 1;
                    case DOWN -> value == 0;
                };
        if (!isRight) {
            String use =
                    switch (kind) {
                        case LOSS -> "use a share above 0, at most 1";
                        case BIT_ERRORS -> "use a share above 0, at most 0.5";
                        case STORM -> "use a priority, 0 to 7";
                        case SLOW, SLOW_RECEIVER -> "use a share of the rate from 0.001, below 1";
                        case DOWN -> "use 0";
                    };
            throw new IllegalArgumentException(kind + " of " + value + ": " + use);
        }
        if (side < BOTH || side > 1 || (side != BOTH && kind == Kind.DOWN)) {
            throw new IllegalArgumentException(
                    kind
                            + " of side "
                            + side
                            + ": use BOTH, 0 or 1, and BOTH for a cable that is gone");
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

    /// Bits of a cable are wrong from the start.
    public static CableFault bitErrors(int cable, double share) {
        return new CableFault(cable, Kind.BIT_ERRORS, share, 0, FOR_EVER);
    }

    /// The same for packets that leave by one end of the cable only.
    public CableFault outOf(int end) {
        return new CableFault(cable, kind, value, fromPs, untilPs, end);
    }

    /// A cable is unplugged for a time.
    public static CableFault down(int cable, long fromPs, long untilPs) {
        return new CableFault(cable, Kind.DOWN, 0, fromPs, untilPs);
    }

    /// The same at another time.
    public CableFault during(long from, long until) {
        return new CableFault(cable, kind, value, from, until, side);
    }

    /// Whether both are at one time.
    boolean collides(Map.@Nullable Entry<Long, CableFault> other) {
        return other != null
                && fromPs < other.getValue().untilPs
                && other.getValue().fromPs < untilPs;
    }
}
