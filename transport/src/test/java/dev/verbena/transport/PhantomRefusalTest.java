package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.WindowType;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Where a region without memory cannot be, and what it cannot do.
class PhantomRefusalTest {
    private static final String REFUSAL =
            ": the device transmits bytes, and a phantom region has none;"
                    + " use ProtectionDomain.allocate, or a device of Fabric.open";

    private final TransportDevice device = new Loopback(1).open("left");
    private final ProtectionDomain domain = device.protectionDomain();

    @Test
    void aCarrierHasNoPhantomsUnlessItSaysSo() {
        TransportOptions options =
                new TransportOptions(new SplittableRandom(1), new FrozenDriver()).name("bytes0");
        try (TransportDevice bytes = TransportDevice.create(options)) {
            ProtectionDomain own = bytes.protectionDomain();
            // Options count when a device is made, and not later.
            options.carriesPhantoms(true);

            assertThatExceptionOfType(UnsupportedException.class)
                    .isThrownBy(() -> TransportDevice.phantom(own, 64))
                    .withMessage("protection domain 0 of bytes0" + REFUSAL);
        }
    }

    @Test
    void aDomainOfAnotherProviderIsRefused() {
        ProtectionDomain foreign =
                answering(ProtectionDomain.class, answering(Device.class, "nic0"));

        assertThatExceptionOfType(UnsupportedException.class)
                .isThrownBy(() -> TransportDevice.phantom(foreign, 64, Access.REMOTE_READ))
                .withMessage("another ProtectionDomain of nic0" + REFUSAL);
    }

    /// An object whose methods all return `answer`.
    private static <T> T answering(Class<T> type, Object answer) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (self, method, arguments) ->
                                method.getName().equals("toString")
                                        ? "another " + type.getSimpleName()
                                        : answer));
    }

    @Test
    void programsCannotChangeWhatTheNetworkCarries() {
        TransportDevice right =
                new Loopback(2).open("right", options -> options.carriesPhantoms(false));

        TransportDevice.phantom(right.protectionDomain(), 64).close();
    }

    @Test
    void theDomainAndTheLengthAreChecked() {
        long most = device.limits().regionBytes();
        assertThatExceptionOfType(LimitExceededException.class)
                .isThrownBy(() -> TransportDevice.phantom(domain, most + 1))
                .withMessageContaining(Long.toString(most));
        domain.close();

        assertThatExceptionOfType(ClosedException.class)
                .isThrownBy(() -> TransportDevice.phantom(domain, 64));
    }

    @Test
    void atomicsHaveNothingToChange() {
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> TransportDevice.phantom(domain, 64, Access.REMOTE_ATOMIC))
                .withMessageContaining("no value that an atomic could change");
        MemoryRegion phantom =
                TransportDevice.phantom(domain, 64, Access.LOCAL_WRITE, Access.WINDOW_BIND);
        MemoryWindow window = domain.window(WindowType.TYPE_2);
        SendBatch batch = connected().sends();

        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> batch.bind(window, phantom, 0, 64, Set.of(Access.REMOTE_ATOMIC)))
                .withMessageContaining("no value that an atomic could change");
    }

    @Test
    void aRequestHasMemoryOfOneKind() {
        MemoryRegion phantom = TransportDevice.phantom(domain, 64);
        MemoryRegion real = domain.allocate(64);
        SendBatch batch = connected().sends().send().local(real.slice(0, 8));

        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> batch.local(phantom.slice(0, 8)))
                .withMessageContaining("phantom and real memory in one request");
    }

    private QueuePair connected() {
        CompletionQueue done = device.completionQueue(8);
        QueuePair pair = domain.queuePair(QueuePairType.RC, it -> it.completions(done));
        pair.connect(pair.endpoint());
        return pair;
    }
}
