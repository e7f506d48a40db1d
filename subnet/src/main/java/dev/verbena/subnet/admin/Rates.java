package dev.verbena.subnet.admin;

import dev.verbena.wire.mad.PortInfo;
import java.lang.foreign.MemorySegment;

/// Codes of rates (IBA 15.2.5.16), which do not grow with the rate.
final class Rates {
    /// By code, in tenths of a gigabit a second; 0: no such code.
    private static final int[] TENTHS = {
        0, 0, 25, 100, 300, 50, 200, 400, 600, 800, 1_200, 140, 560, 1_120, 1_680, 250, 1_000,
        2_000, 3_000, 280, 500, 4_000, 6_000, 8_000, 12_000
    };

    private static final int SLOWEST = 2;

    private Rates() {}

    /// The rate of a code; 0 for a code that is none.
    static int tenths(int code) {
        return code < TENTHS.length ? TENTHS[code] : 0;
    }

    /// The fastest rate that a link has, as a code.
    static int of(MemorySegment portInfo) {
        int rate = lanes(portInfo) * lane(portInfo);
        int best = SLOWEST;
        for (int code = 0; code < TENTHS.length; code++) {
            if (TENTHS[code] <= rate && TENTHS[code] > TENTHS[best]) {
                best = code;
            }
        }
        return best;
    }

    private static int lanes(MemorySegment info) {
        return switch (PortInfo.LINK_WIDTH_ACTIVE.readInt(info, 0)) {
            case 2 -> 4;
            case 4 -> 8;
            case 8 -> 12;
            case 16 -> 2;
            default -> 1;
        };
    }

    private static int lane(MemorySegment info) {
        return switch (PortInfo.LINK_SPEED_EXT_ACTIVE.readInt(info, 0)) {
            case 1 -> 140;
            case 2 -> 250;
            case 4 -> 500;
            case 8 -> 1_000;
            default ->
                    switch (PortInfo.LINK_SPEED_ACTIVE.readInt(info, 0)) {
                        case 2 -> 50;
                        case 4 -> 100;
                        default -> 25;
                    };
        };
    }

    /// The slowest rate that is faster; 0: there is none.
    static int above(int wanted) {
        int best = 0;
        for (int code = SLOWEST; code < TENTHS.length; code++) {
            boolean isAbove = TENTHS[code] > tenths(wanted);
            if (isAbove && (best == 0 || TENTHS[code] < TENTHS[best])) {
                best = code;
            }
        }
        return best;
    }

    /// The fastest rate that is slower and that a link has; 0: there is none.
    static int below(int wanted, int most) {
        int best = 0;
        for (int code = SLOWEST; code < TENTHS.length; code++) {
            boolean isBelow = TENTHS[code] < tenths(wanted) && TENTHS[code] <= tenths(most);
            if (isBelow && TENTHS[code] > TENTHS[best]) {
                best = code;
            }
        }
        return best;
    }

    /// Whether a value is as a request with a selector wants it (IBA 15.2.5.16): 0 greater than, 1
    /// less than, 2 exactly, 3 the largest there is.
    static boolean isWanted(int selector, int value, int wanted) {
        return switch (selector) {
            case 0 -> value > wanted;
            case 1 -> value < wanted;
            case 2 -> value == wanted;
            default -> true;
        };
    }
}
