package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.transport.TransportDevice;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Another peer of a device, in this process, always busy, served by a thread of its own.
final class Innocent implements AutoCloseable {
    private static final long PATIENCE_NS = 30_000_000_000L;
    private static final int DEFAULT_TIMEOUT = -1;

    private final TransportDevice device;
    private final TransportDevice other;
    private final Traffic near;
    private final Traffic far;
    private final Thread thread;
    private volatile boolean isOver;
    private volatile @Nullable Throwable failure;
    private volatile long done;

    /// @param other the peer's device, which is closed with it
    Innocent(TransportDevice device, TransportDevice other) {
        this.device = device;
        this.other = other;
        near = new Traffic(device);
        far = new Traffic(other);
        String offer = near.offer();
        near.connect(far.offer(), DEFAULT_TIMEOUT);
        far.connect(offer, DEFAULT_TIMEOUT);
        near.begin();
        far.begin();
        thread = Thread.ofPlatform().daemon().start(this::run);
    }

    private void run() {
        try {
            while (!isOver) {
                near.pump(Duration.ofMillis(1));
                far.pump(Duration.ofMillis(1));
                done = near.leastDone();
                // Busy enough to notice, and something is left for the others.
                Thread.sleep(1);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (Throwable thrown) {
            failure = thrown;
        }
    }

    /// Whether the device has a queue pair of this number for it.
    boolean has(int number) {
        return near.has(number);
    }

    long done() {
        return done;
    }

    /// It has worked since it was asked last, and no request has failed.
    void requireUndisturbed() throws InterruptedException {
        long before = done;
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (done <= before && failure == null && System.nanoTime() < endNs) {
            Thread.sleep(1);
        }
        assertThat(failure).as("what the innocent peer ran into").isNull();
        assertThat(done)
                .as(
                        "requests of an innocent peer; its thread is at %s%n%s %s%n%s %s",
                        List.of(thread.getStackTrace()),
                        near,
                        device.counters(),
                        far,
                        other.counters())
                .isGreaterThan(before);
        assertThat(near.failures()).as("failed requests of an innocent peer").isEmpty();
        assertThat(far.failures()).as("failed requests to an innocent peer").isEmpty();
    }

    @Override
    public void close() throws InterruptedException {
        isOver = true;
        thread.join(PATIENCE_NS / 1_000_000);
        near.close();
        far.close();
        other.close();
    }
}
