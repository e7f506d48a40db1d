package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbena.conformance.Connection;
import dev.verbena.conformance.Seen;
import dev.verbena.conformance.Side;
import dev.verbena.conformance.World;
import dev.verbena.transport.Loopback;
import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.TransportOptions;
import dev.verbena.transport.carrier.Driver;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.UnsupportedException;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Simulated hosts transfer lengths without bytes, with the completions that bytes would have.
class PhantomMemoryTest {
    private static final int LENGTH = (16 << 20) + 1;

    /// JUnit closes them.
    static Stream<World> worlds() {
        return Stream.of(FabricSettings.ROCE, FabricSettings.INFINIBAND).map(UriWorld::registered);
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void lengthsAreSentWrittenAndRead(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        MemoryRegion here = phantom(left);
        MemoryRegion there = phantom(connection.right());
        for (int length : new int[] {0, 1, 4097, LENGTH}) {
            connection.right().receive(length, there.slice());
            left.post(batch -> batch.sendImmediate(length).local(here.slice(0, length)).signaled());

            left.sent().next().succeeded();
            Seen received = connection.right().received().next().succeeded();
            received.of(CompletedOperation.RECEIVE, length);
            assertThat(received.immediate()).hasValue(length);
        }
        left.post(batch -> batch.write(here.slice(), there.remote()).signaled());
        left.sent().next().succeeded().of(CompletedOperation.WRITE, LENGTH);
        left.post(batch -> batch.read(here.slice(), there.remote()).signaled());
        left.sent().next().succeeded().of(CompletedOperation.READ, LENGTH);
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void rightsAndBoundsHold(World world) {
        Connection connection = Connection.on(world);
        MemoryRegion here = phantom(connection.left());
        MemoryRegion there = phantom(connection.right());

        assertThat(there.length()).isEqualTo(LENGTH);
        assertThatExceptionOfType(UnsupportedException.class).isThrownBy(there::segment);
        connection
                .left()
                .fails(
                        CompletionStatus.REMOTE_ACCESS_ERROR,
                        batch ->
                                batch.write(there.address() + 1, there.remoteKey())
                                        .local(here.slice()));
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void memoryStaysAsItWasWhenALengthIsWrittenToIt(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        MemoryRegion here = phantom(left);
        right.fill(0, 5000, 7);
        byte[] before = right.bytes(0, 5000);

        left.post(batch -> batch.write(here.slice(0, 5000), right.remote(0, 5000)).signaled());

        left.sent().next().succeeded().of(CompletedOperation.WRITE, 5000);
        right.holds(0, before);
    }

    @Test
    void loopbackCarriesThemToo() {
        try (TransportDevice device = new Loopback(1).open("left");
                MemoryRegion region = PhantomMemory.in(device.protectionDomain(), 1L << 40)) {
            assertThat(region.length()).isEqualTo(1L << 40);
        }
    }

    @Test
    void aDeviceThatTransmitsBytesIsRefused() {
        TransportOptions options =
                new TransportOptions(new SplittableRandom(1), new Still()).name("bytes0");
        try (TransportDevice device = TransportDevice.create(options)) {
            assertThatExceptionOfType(UnsupportedException.class)
                    .isThrownBy(() -> PhantomMemory.in(device.protectionDomain(), 64))
                    .withMessage(
                            "protection domain 0 of bytes0: the device transmits bytes, and a"
                                    + " phantom region has none; use ProtectionDomain.allocate, or"
                                    + " a device of Fabric.open");
        }
    }

    private static MemoryRegion phantom(Side side) {
        return PhantomMemory.in(
                side.domain(), LENGTH, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
    }

    /// Drives nothing.
    private static final class Still implements Driver {
        @Override
        public long nowNs() {
            return 0;
        }

        @Override
        public boolean turn() {
            return false;
        }

        @Override
        public void idle(long deadlineNs, BooleanSupplier isDone) {}

        @Override
        public void wake() {}
    }
}
