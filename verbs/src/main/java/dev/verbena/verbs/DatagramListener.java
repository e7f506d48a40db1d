package dev.verbena.verbs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Receives requests of peers that ask which datagram queue pair serves a port (rdma_cm's UDP port
/// space).
///
/// Requests wait in the backlog until the program takes them; further requests are refused.
public interface DatagramListener extends AutoCloseable {
    /// The default queue key of rdma_cm programs: a Linux peer that has already created its queue
    /// pair accepts no other key.
    int USUAL_QUEUE_KEY = 0x0123_4567;

    int port();

    /// The oldest request, or null when there is none.
    @Nullable DatagramRequest poll();

    /// Waits for a request; returns null when the timeout passes first. Several threads may wait.
    @Nullable DatagramRequest await(Duration timeout);

    /// Refuses all requests that the program has not taken, and stops listening. Queue pairs stay
    /// open.
    @Override
    void close();
}
