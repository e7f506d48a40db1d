package dev.verbena.roce;

import java.util.SplittableRandom;

/// Drops received packets on purpose, for tests of programs whose threads and time are real. The
/// seed decides whether the n-th packet of a device is lost; which packet that is, the network
/// decides.
final class Losses {
    private final Loss loss;
    private final SplittableRandom random;
    private long packets;

    Losses(Loss loss) {
        this.loss = loss;
        random = new SplittableRandom(loss.seed());
    }

    boolean takesNext() {
        if (loss.probability() == 0 || random.nextDouble() >= loss.probability()) {
            return false;
        }
        packets++;
        return true;
    }

    /// Packets that were lost.
    long packets() {
        return packets;
    }
}
