package dev.verbena.transport.work;

/// Where receive requests are posted to.
public interface ReceiveOwner extends WorkOwner {
    WorkQueue receiveQueue();

    /// Refuses calls that the state does not allow.
    void checkReceives();

    /// Takes a batch of receive requests that fits the queue.
    void postReceives(int first, int last, int count);
}
