package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.OneThread;
import dev.verbena.verbs.WrongStateException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/// Devices of a network in memory belong to one thread at a time, and say so, with or without
/// assertions.
class OneThreadTest {
    private final OneThread guard = new OneThread("network");

    @Test
    void aSecondThreadInsideGetsAnExceptionThatNamesBoth() {
        guard.enter();
        guard.enter();
        guard.exit();

        assertThatThrownBy(() -> elsewhere(guard::enter))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(WrongStateException.class)
                .hasMessageContaining("thread " + Thread.currentThread().getName() + " is in it")
                .hasMessageContaining("one thread at a time");
    }

    @Test
    void whatOneThreadHasLeftAnotherMayEnter() {
        guard.enter();
        guard.exit();

        assertThatCode(
                        () ->
                                elsewhere(
                                        () -> {
                                            guard.enter();
                                            guard.exit();
                                        }))
                .doesNotThrowAnyException();
        guard.enter();
    }

    @Test
    void aThreadThatWaitsIsInsideUntilItsWaitIsOver() {
        guard.beginWait();
        guard.enter();
        guard.exit();

        assertThatThrownBy(() -> elsewhere(guard::enter)).hasMessageContaining("is in it");
        guard.endWait();
        assertThatCode(() -> elsewhere(guard::enter)).doesNotThrowAnyException();
    }

    @Test
    void aThreadThatEndedInsideKeepsNobodyOut() throws InterruptedException {
        Thread.ofPlatform().start(guard::enter).join();

        guard.enter();
        guard.exit();

        assertThatCode(() -> elsewhere(guard::enter)).doesNotThrowAnyException();
    }

    @Test
    void aCallOfADeviceIsRefusedWhileAnotherThreadIsInItsNetwork() {
        Loopback network = new Loopback(1);
        try (TransportDevice device = network.open("device")) {
            device.protectionDomain();
            assertThat(device.engine().life.entry.isGuarded()).isFalse();
            device.engine().life.entry.enter();
            try {
                assertThatThrownBy(() -> elsewhere(device::protectionDomain))
                        .cause()
                        .isInstanceOf(WrongStateException.class)
                        .hasMessageContaining("loopback network");
            } finally {
                device.engine().life.entry.close();
            }
        }
    }

    @Test
    void theWaysAroundADeviceAreClosedMeanwhileToo() {
        Loopback network = new Loopback(1);
        try (TransportDevice device = network.open("device")) {
            Driver driver = device.engine().settings.driver;
            device.engine().life.entry.enter();
            try {
                List<Runnable> calls =
                        List.of(
                                driver::turn,
                                driver::polledInVain,
                                () -> driver.idle(1, () -> false),
                                () -> network.open("other"),
                                device::close);
                assertThat(calls)
                        .allSatisfy(
                                call ->
                                        assertThatThrownBy(() -> elsewhere(call))
                                                .hasMessageContaining("is in it, and thread"));
            } finally {
                device.engine().life.entry.close();
            }
        }
    }

    private static void elsewhere(Runnable call) {
        CompletableFuture.runAsync(call).join();
    }
}
