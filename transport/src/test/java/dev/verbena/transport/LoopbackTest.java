package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoopbackTest {
    @Test
    void carriesEveryOperationOnce() {
        Loopback network = new Loopback(1);
        try (Device left = network.open("left");
                Device right = network.open("right");
                ProtectionDomain here = left.protectionDomain();
                ProtectionDomain there = right.protectionDomain();
                CompletionQueue done = left.completionQueue(64);
                CompletionQueue came = right.completionQueue(64);
                MemoryRegion from = here.allocate(1 << 20, Access.LOCAL_WRITE);
                MemoryRegion to =
                        there.allocate(
                                1 << 20,
                                Access.REMOTE_READ,
                                Access.REMOTE_WRITE,
                                Access.REMOTE_ATOMIC);
                QueuePair one = here.queuePair(QueuePairType.RC, o -> o.completions(done));
                QueuePair other = there.queuePair(QueuePairType.RC, o -> o.completions(came))) {
            one.connect(other.endpoint());
            other.connect(one.endpoint());
            for (int i = 0; i < 1 << 20; i++) {
                from.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7));
            }
            assertThat(other.postReceive(b -> b.receive(to.slice(0, 100_000)).id(5))).isTrue();
            assertThat(
                            one.post(
                                    b ->
                                            b.send(from.slice(0, 99_999))
                                                    .id(1)
                                                    .signaled()
                                                    .write(
                                                            from.slice(0, 500_000),
                                                            to.remote().slice(200_000, 500_000))
                                                    .id(2)
                                                    .signaled()
                                                    .fetchAndAdd(
                                                            to.address() + 800_000,
                                                            to.remoteKey(),
                                                            42)
                                                    .local(from, 900_000, 8)
                                                    .id(3)
                                                    .signaled()
                                                    .read(
                                                            from.slice(910_000, 9_000),
                                                            to.remote().slice(200_000, 9_000))
                                                    .id(4)
                                                    .signaled()))
                    .isTrue();
            List<Long> ids = new ArrayList<>();
            while (ids.size() < 4) {
                int count =
                        done.await(
                                Duration.ofSeconds(1),
                                c -> {
                                    assertThat(c.isSuccess()).as(c.toString()).isTrue();
                                    ids.add(c.id());
                                });
                assertThat(count).isPositive();
            }
            assertThat(ids).containsExactly(1L, 2L, 3L, 4L);
            var received = came.poll();
            assertThat(received).isNotNull();
            assertThat(received.operation()).isEqualTo(CompletedOperation.RECEIVE);
            assertThat(received.byteLength()).isEqualTo(99_999);
            assertThat(to.segment().asSlice(0, 99_999).mismatch(from.segment().asSlice(0, 99_999)))
                    .isEqualTo(-1);
            assertThat(
                            to.segment()
                                    .asSlice(200_000, 500_000)
                                    .mismatch(from.segment().asSlice(0, 500_000)))
                    .isEqualTo(-1);
            assertThat(to.segment().get(ValueLayout.JAVA_LONG, 800_000)).isEqualTo(42);
            assertThat(
                            from.segment()
                                    .asSlice(910_000, 9_000)
                                    .mismatch(from.segment().asSlice(0, 9_000)))
                    .isEqualTo(-1);
        }
    }

    @Test
    void isOpenedByUri() {
        try (Device device = Devices.open("loopback://left")) {
            assertThat(device.name()).isEqualTo("left");
        }
        try (Device device = Devices.open("loopback://left")) {
            assertThat(device.port(1).activeMtu()).isEqualTo(4096);
        }
    }
}
