package dev.verbena.transport.work;

import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePairType;
import org.jspecify.annotations.Nullable;

/// Whose queue a batch is for: a queue pair, or a shared receive queue.
interface WorkOwner {
    ProtectionDomain domain();

    /// The service that its requests are for; a shared queue takes what fits RC.
    QueuePairType type();

    void requireOpen();

    /// The batch that it has handed out last and not got back; the others hang on it.
    @Nullable TransportBatch<?> newestBatch();

    void newestBatch(@Nullable TransportBatch<?> batch);
}
