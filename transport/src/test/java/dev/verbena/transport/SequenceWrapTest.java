package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Connections that live long enough for their sequence numbers to come round.
@Tag("long")
@Tag("slow")
class SequenceWrapTest {
    private static final int MTU = 256;

    /// Half of all sequence numbers, with packets of 256 bytes.
    private static final long HALF = 1L << 31;

    @Test
    void aWriteIsAcknowledgedAlthoughAReadOnceHadItsSequenceNumber() {
        Loopback network = new Loopback(MTU);
        try (Device left = network.open("left");
                Device right = network.open("right");
                ProtectionDomain here = left.protectionDomain();
                ProtectionDomain there = right.protectionDomain();
                CompletionQueue done = left.completionQueue(8);
                CompletionQueue came = right.completionQueue(8);
                MemoryRegion near = TransportDevice.phantom(here, HALF, Access.LOCAL_WRITE);
                MemoryRegion far =
                        TransportDevice.phantom(
                                there, HALF, Access.REMOTE_READ, Access.REMOTE_WRITE);
                QueuePair one = here.queuePair(QueuePairType.RC, o -> o.completions(done));
                QueuePair other = there.queuePair(QueuePairType.RC, o -> o.completions(came))) {
            one.connect(other.endpoint(), attributes -> attributes.pathMtu(MTU));
            other.connect(one.endpoint(), attributes -> attributes.pathMtu(MTU));

            one.post(it -> it.read(near.slice(0, 8), far.remote().slice(0, 8)).signaled());
            requireSuccess(done);
            // The last packet of the second has the sequence number of the READ.
            for (int i = 0; i < 2; i++) {
                one.post(it -> it.write(near.slice(), far.remote()).signaled());
                requireSuccess(done);
            }

            assertThat(left.counters().get("local_ack_timeout_err")).isZero();
        }
    }

    private static void requireSuccess(CompletionQueue done) {
        int count =
                done.await(
                        Duration.ofSeconds(60),
                        c -> assertThat(c.isSuccess()).as(c.toString()).isTrue());
        assertThat(count).isOne();
    }
}
