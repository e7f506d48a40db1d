package dev.verbena.verbs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Receives requests of peers that connect to a port, like a TCP server socket.
///
/// Requests wait in the backlog until the program takes them; further requests are refused.
public interface Listener extends AutoCloseable {
    int port();

    /// The oldest request, or null when there is none.
    @Nullable ConnectionRequest poll();

    /// Waits for a request; returns null when the timeout passes first. Several threads may wait.
    @Nullable ConnectionRequest await(Duration timeout);

    /// Refuses all requests that the program has not taken, and stops listening. Connections stay
    /// open.
    @Override
    void close();
}
