package dev.verbena.transport;

/// Whose queue a batch is for: a queue pair, or a shared receive queue.
interface WorkOwner {
    TransportDomain domainImpl();

    void requireOpen();

    OpenBatches batches();
}
