package dev.verbena.conformance.hostile;

import dev.verbena.verbs.QueuePair;

/// A queue pair of an episode.
final class Pair {
    final Side side;
    final QueuePair queuePair;

    /// Whether requests may have ended without a completion: the program has seen to it.
    volatile boolean mayForget;

    Pair(Side side, QueuePair queuePair) {
        this.side = side;
        this.queuePair = queuePair;
    }

    boolean mustComplete() {
        return !mayForget && !side.isForgetful;
    }

    @Override
    public String toString() {
        return queuePair + " of " + side.device.name();
    }
}
