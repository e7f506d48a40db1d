package dev.verbena.transport.work;

import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePairType;

/// Whose queue a batch is for: a queue pair, or a shared receive queue.
interface WorkOwner {
    ProtectionDomain domain();

    /// The service that its requests are for; a shared queue takes what fits RC.
    QueuePairType type();

    void requireOpen();

    OpenBatches batches();
}
