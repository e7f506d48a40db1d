package dev.verbena.transport.connect;

import dev.verbena.transport.common.Waiters;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Requests for a port that wait until the program takes them, up to a limit.
abstract class Backlog<R> extends Awaited {
    final int port;
    private final int most;
    private final ArrayDeque<R> requests = new ArrayDeque<>();

    /// The same as the length of the queue, for threads without the guard.
    private volatile int count;

    private volatile boolean isClosed;

    Backlog(Connections connections, int port, int most) {
        super(connections);
        this.port = port;
        this.most = most;
    }

    public final int port() {
        return port;
    }

    /// Whether one more may wait.
    final boolean hasRoom() {
        return !isClosed && requests.size() < most;
    }

    final void add(R request) {
        requests.add(request);
        count = requests.size();
        rouse();
    }

    /// Removes the requests whose peers no longer wait.
    final void forget(Predicate<R> isOver) {
        requests.removeIf(isOver);
        count = requests.size();
    }

    public final @Nullable R poll() {
        connections.device.progress();
        return take();
    }

    private @Nullable R take() {
        try (var _ = connections.device.entry.enter()) {
            R first = requests.poll();
            count = requests.size();
            return first;
        }
    }

    public final @Nullable R await(Duration timeout) {
        long startNs = connections.device.nowNs();
        long limitNs = Waiters.saturatedNs(timeout);
        while (await(startNs, limitNs, () -> count > 0 || isClosed)) {
            R first = take();
            if (first != null || isClosed) {
                return first;
            }
            // Another thread was faster.
        }
        return null;
    }

    public final void close() {
        try (var _ = connections.device.entry.enter()) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            unlisten();
            while (!requests.isEmpty()) {
                reject(requests.remove());
            }
            count = 0;
            rouse();
        }
    }

    /// Stops accepting requests.
    abstract void unlisten();

    /// The program did not take it.
    abstract void reject(R request);
}
