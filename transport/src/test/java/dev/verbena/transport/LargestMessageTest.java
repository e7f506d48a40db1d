package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SendBatch;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Messages of two gigabytes, without the memory.
@Tag("long")
@Tag("slow")
class LargestMessageTest {
    private static final long LARGEST = 1L << 31;

    /// Uses exactly half of all sequence numbers, the most that may be outstanding.
    @Test
    void readsHalfOfTheSequenceNumbersAtOnce() {
        largest(256, (batch, far) -> batch.read(far.address(), far.remoteKey()));
    }

    @Test
    void writesTwoGigabytes() {
        largest(2048, (batch, far) -> batch.write(far.address(), far.remoteKey()));
    }

    @Test
    void sendsTwoGigabytes() {
        largest(4096, (batch, far) -> batch.send());
    }

    private static void largest(int mtu, BiConsumer<SendBatch, MemoryRegion> operation) {
        Loopback network = new Loopback(mtu);
        try (Device left = network.open("left");
                Device right = network.open("right");
                ProtectionDomain here = left.protectionDomain();
                ProtectionDomain there = right.protectionDomain();
                CompletionQueue done = left.completionQueue(8);
                CompletionQueue came = right.completionQueue(8);
                MemoryRegion near = TransportDevice.phantom(here, LARGEST, Access.LOCAL_WRITE);
                MemoryRegion far =
                        TransportDevice.phantom(
                                there, LARGEST, Access.REMOTE_READ, Access.REMOTE_WRITE);
                QueuePair one = here.queuePair(QueuePairType.RC, o -> o.completions(done));
                QueuePair other = there.queuePair(QueuePairType.RC, o -> o.completions(came))) {
            one.connect(other.endpoint(), attributes -> attributes.pathMtu(mtu));
            other.connect(one.endpoint(), attributes -> attributes.pathMtu(mtu));
            other.postReceive(batch -> batch.receive(far.slice()));
            SendBatch batch = one.sends();
            operation.accept(batch, far);
            batch.local(near, 0, LARGEST).signaled();
            // One more behind it, which must wait for sequence numbers where there are none left.
            batch.write(far.address(), far.remoteKey()).local(near, 0, 1).signaled().post();
            int completed = 0;
            while (completed < 2) {
                int count =
                        done.await(
                                Duration.ofSeconds(1),
                                c -> assertThat(c.isSuccess()).as(c.toString()).isTrue());
                assertThat(count).isPositive();
                completed += count;
            }
            assertThat(left.counters().get("req_retransmits")).isZero();
        }
    }
}
