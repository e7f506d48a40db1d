package dev.verbena.transport;

import dev.verbena.testkit.Choices;

/// How the carrier of one device behaves: at once and without limits unless told.
final class CarrierScript {
    static final int ALL_CLASSES = 0xFFFF;

    /// More than any packet, so that a call with it always yields one if there is one.
    static final int ONE_PACKET = 8192;

    Choices choices = Choices.from(0);

    /// The classes that may go, as a test says.
    int classMask = ALL_CLASSES;

    /// How often some classes are closed for a while.
    double pause;

    long pauseNs = 20_000;

    /// How often a call has a budget that is too small for most packets.
    double smallBudget;

    /// How often a timeout is handled late, and how late at most.
    double late;

    long lateNs = 10_000;

    /// How often `handleTimeout` is called though nothing is due.
    double spurious;

    /// Picoseconds that a byte takes on the link; 0 for a link without limit.
    int psPerByte;

    /// Bytes that a call may take at once on a link with a limit.
    int budgetBytes = ONE_PACKET;

    private int pausedMask;
    private long pausedUntilNs;

    /// The classes that may go now.
    int mask(long nowNs) {
        if (nowNs >= pausedUntilNs) {
            pausedMask = 0;
            if (pause > 0 && choices.chance(pause)) {
                pausedMask = (int) choices.bits(16);
                pausedUntilNs = nowNs + choices.between(1, pauseNs);
            }
        }
        return classMask & ~pausedMask;
    }

    /// When the classes that are closed now open again, or [Long#MAX_VALUE].
    long opensAtNs() {
        return pausedMask == 0 ? Long.MAX_VALUE : pausedUntilNs;
    }

    int budget() {
        if (smallBudget > 0 && choices.chance(smallBudget)) {
            return choices.between(0, 1200);
        }
        return psPerByte > 0 ? budgetBytes : 1 << 20;
    }

    long lateness() {
        return late > 0 && choices.chance(late) ? choices.between(1, lateNs) : 0;
    }

    boolean isSpurious() {
        return spurious > 0 && choices.chance(spurious);
    }
}
