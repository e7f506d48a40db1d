package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoopbackTest {
    @Test
    void carriesAMessageOfManyPackets() {
        Loopback network = new Loopback(1);
        try (Device left = network.open("left");
                Device right = network.open("right");
                ProtectionDomain here = left.protectionDomain();
                ProtectionDomain there = right.protectionDomain();
                CompletionQueue done = left.completionQueue(64);
                CompletionQueue came = right.completionQueue(64);
                MemoryRegion from = here.allocate(99_999);
                MemoryRegion to = there.allocate(100_000, Access.LOCAL_WRITE);
                QueuePair one = here.queuePair(QueuePairType.RC, o -> o.completions(done));
                QueuePair other = there.queuePair(QueuePairType.RC, o -> o.completions(came))) {
            one.connect(other.endpoint());
            other.connect(one.endpoint());
            from.segment().set(ValueLayout.JAVA_BYTE, 99_998, (byte) 7);
            other.postReceive(batch -> batch.receive(to.slice()));
            one.post(batch -> batch.send(from.slice()).id(1).signaled());
            assertThat(done.await(Duration.ofSeconds(1), c -> assertThat(c.isSuccess()).isTrue()))
                    .isEqualTo(1);
            assertThat(came.poll()).isNotNull();
            assertThat(to.segment().get(ValueLayout.JAVA_BYTE, 99_998)).isEqualTo((byte) 7);
            assertThat(network.nowNs()).isZero();
        }
    }

    @Test
    void letsTimePassOnlyWhileNothingElseHappens() {
        Loopback network = new Loopback(1);
        try (Device left = network.open("left");
                CompletionQueue queue = left.completionQueue(1)) {
            assertThat(queue.await(Duration.ofSeconds(3), completion -> {})).isZero();
            assertThat(network.nowNs()).isEqualTo(3_000_000_000L);
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
