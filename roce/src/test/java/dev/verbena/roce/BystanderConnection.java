package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Wait;
import dev.verbena.transport.TransportDevice;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Another peer of a device, in this process, always busy, served by a thread of its own.
final class BystanderConnection implements AutoCloseable {
    private static final long PATIENCE_NS = 30_000_000_000L;

    /// 1 s, and seven times more: that a machine is busy is no attack.
    private static final int TIMEOUT = 18;

    private final TransportDevice device;
    private final TransportDevice other;
    private final Traffic near;
    private final Traffic far;
    private final Thread thread;
    private volatile boolean isOver;
    private volatile @Nullable Throwable failure;
    private volatile long done;

    /// @param other the peer's device, which is closed with it
    BystanderConnection(TransportDevice device, TransportDevice other) {
        this.device = device;
        this.other = other;
        near = new Traffic(device);
        far = new Traffic(other);
        String offer = near.offer();
        near.connect(far.offer(), TIMEOUT);
        far.connect(offer, TIMEOUT);
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
                Wait.step();
            }
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
    void requireUndisturbed() {
        long before = done;
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (done <= before && failure == null && System.nanoTime() < endNs) {
            Wait.step();
        }
        assertThat(failure).as("what the bystander peer ran into").isNull();
        assertThat(done)
                .as(
                        "requests of a bystander peer; its thread is at %s%n%s %s%n%s %s",
                        List.of(thread.getStackTrace()),
                        near,
                        device.counters(),
                        far,
                        other.counters())
                .isGreaterThan(before);
        assertThat(near.failures()).as("failed requests of a bystander peer").isEmpty();
        assertThat(far.failures()).as("failed requests to a bystander peer").isEmpty();
    }

    @Override
    public void close() {
        isOver = true;
        try {
            thread.join(PATIENCE_NS / 1_000_000);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        near.close();
        far.close();
        other.close();
    }
}
