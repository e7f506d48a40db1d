package dev.verbena.verbs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Waits for peers that want to connect to a port, as a TCP server does.
///
/// Requests that nobody takes wait up to the backlog; those beyond it are refused.
public interface Listener extends AutoCloseable {
    int port();

    /// The oldest request, or null when there is none.
    @Nullable ConnectionRequest poll();

    /// Waits for a request; null when none came in time. One thread waits at a time.
    @Nullable ConnectionRequest await(Duration timeout);

    /// Refuses what has not been taken, and listens no longer. Connections stay.
    @Override
    void close();
}
