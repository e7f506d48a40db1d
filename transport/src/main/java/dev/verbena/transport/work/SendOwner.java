package dev.verbena.transport.work;

import dev.verbena.verbs.QueuePairState;

/// Where send requests are posted to.
public interface SendOwner extends WorkOwner {
    WorkQueue sendQueue();

    QueuePairState state();

    /// READs and atomics that may be in flight.
    int readsAsInitiator();

    /// Takes a batch of send requests that fits the queue.
    void postSends(int first, int last, int count);
}
