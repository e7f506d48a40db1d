package dev.verbena.verbs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Waits for peers that ask which datagram queue pair serves a port (rdma_cm's UDP port space).
///
/// Questions that nobody takes wait up to the backlog; those beyond it are refused.
public interface DatagramListener extends AutoCloseable {
    /// The queue key that rdma_cm's programs take for granted: a Linux peer that has made its queue
    /// pair believes no other.
    int USUAL_QUEUE_KEY = 0x0123_4567;

    int port();

    /// The oldest question, or null when there is none.
    @Nullable DatagramRequest poll();

    /// Waits for a question; null when none came in time. One thread waits at a time.
    @Nullable DatagramRequest await(Duration timeout);

    /// Refuses what has not been taken, and listens no longer. Queue pairs stay.
    @Override
    void close();
}
