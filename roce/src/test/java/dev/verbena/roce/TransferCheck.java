package dev.verbena.roce;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.time.Duration;
import java.util.Random;

/// Writes random bytes into a peer's memory, reads them back and compares.
final class TransferCheck {
    static final int BYTES = 20_000;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final CompletionQueue done;
    private final MemoryRegion memory;
    private final Random random;
    final QueuePair pair;

    TransferCheck(Device device, long seed) {
        ProtectionDomain domain = device.protectionDomain();
        done = device.completionQueue(16);
        memory = domain.allocate(2 * BYTES, Access.LOCAL_WRITE);
        random = new Random(seed);
        pair = domain.queuePair(QueuePairType.RC, it -> it.completions(done));
    }

    static TransportDevice open(String uri) {
        return RoceProvider.open(RoceUri.parse(URI.create(uri)), options -> {});
    }

    /// Moves bytes there and back once.
    void move(RemoteSlice target) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        memory.segment().asSlice(0, BYTES).copyFrom(MemorySegment.ofArray(bytes));
        pair.post(batch -> batch.write(memory.slice(0, BYTES), target).signaled());
        await();
        pair.post(batch -> batch.read(memory.slice(BYTES, BYTES), target).signaled());
        await();
        MemorySegment back = memory.segment().asSlice(BYTES, BYTES);
        if (back.mismatch(MemorySegment.ofArray(bytes)) >= 0) {
            throw new IllegalStateException(pair + ": other bytes came back");
        }
    }

    private void await() {
        int seen =
                done.await(
                        LIMIT,
                        completion -> {
                            if (!completion.isSuccess()) {
                                throw new IllegalStateException(pair + ": " + completion.status());
                            }
                        });
        if (seen != 1) {
            throw new IllegalStateException(pair + ": nothing completed in " + LIMIT);
        }
    }
}
