package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Both ends on one thread, so that all that is allocated is seen.
class AllocationTest {
    private static final int ROUNDS = 4000;
    private static final long PATIENCE_NS = 20_000_000_000L;

    @ParameterizedTest
    @CsvSource({"8, false", "8, true", "4096, false", "65536, false", "65536, true"})
    void nothingIsAllocatedInSteadyState(int bytes, boolean reads) {
        try (Device left = open();
                Device right = open()) {
            ProtectionDomain here = left.protectionDomain();
            ProtectionDomain there = right.protectionDomain();
            CompletionQueue done = left.completionQueue(16);
            CompletionQueue arrived = right.completionQueue(16);
            MemoryRegion source = here.allocate(bytes, Access.LOCAL_WRITE);
            MemoryRegion target =
                    there.allocate(
                            bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
            QueuePair pair = here.queuePair(QueuePairType.RC, it -> it.completions(done));
            QueuePair peer = there.queuePair(QueuePairType.RC, it -> it.completions(arrived));
            pair.connect(peer.endpoint());
            peer.connect(pair.endpoint());
            long address = target.remote().address();
            int key = target.remote().key();

            // The compiler must have seen it all before it leaves nothing behind.
            long least = Long.MAX_VALUE;
            long endNs = System.nanoTime() + PATIENCE_NS;
            while (least > 0 && System.nanoTime() < endNs) {
                least = Math.min(least, run(pair, source, bytes, reads, address, key, right, done));
            }

            assertThat((double) least / ROUNDS).as("bytes of each operation").isLessThan(0.05);
        }
    }

    private static long run(
            QueuePair pair,
            MemoryRegion source,
            int bytes,
            boolean reads,
            long address,
            int key,
            Device right,
            CompletionQueue done) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < ROUNDS; i++) {
            var batch = pair.sends();
            if (reads) {
                batch.read(address, key);
            } else {
                batch.write(address, key);
            }
            batch.local(source, 0, bytes).signaled().post();
            while (done.poll() == null) {
                right.progress();
            }
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static Device open() {
        return Devices.open("roce://" + TestAddresses.ipv4() + "?progress=caller");
    }
}
