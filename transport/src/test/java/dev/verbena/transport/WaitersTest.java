package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.common.Waiters;
import dev.verbena.verbs.WrongStateException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WaitersTest {
    /// Another thread may decide it after the last look and before the first thread is known to
    /// wait: whatever happens then must be seen before the wait begins.
    @Test
    void whatIsDecidedBetweenTheLastLookAndTheWaitIsSeen() {
        try (TransportDevice device = new Loopback(1).open("left")) {
            Driver driver = device.engine().settings.driver;
            long startNs = driver.nowNs();
            AtomicInteger looks = new AtomicInteger();

            boolean isDecided =
                    new Waiters(device.engine().life)
                            .await(
                                    startNs,
                                    Duration.ofHours(1).toNanos(),
                                    () -> looks.incrementAndGet() > 2);

            assertThat(isDecided).isTrue();
            assertThat(driver.nowNs()).as("no time has passed").isEqualTo(startNs);
        }
    }

    /// Between two looks of a wait the network does nothing; a second thread would move its time.
    @Test
    void anotherThreadIsRefusedWhileOneWaits() {
        try (TransportDevice device = new Loopback(1).open("left")) {
            long startNs = device.engine().settings.driver.nowNs();

            assertThatThrownBy(
                            () ->
                                    new Waiters(device.engine().life)
                                            .await(startNs, 1_000, () -> isUsedElsewhere(device)))
                    .cause()
                    .isInstanceOf(WrongStateException.class)
                    .hasMessageContaining(
                            "thread " + Thread.currentThread().getName() + " is in it")
                    .hasMessageContaining("RdmaThreads");
            assertThat(isUsedElsewhere(device)).as("after the wait").isFalse();
        }
    }

    private static boolean isUsedElsewhere(TransportDevice device) {
        CompletableFuture.runAsync(device::protectionDomain).join();
        return false;
    }
}
