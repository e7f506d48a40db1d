package dev.verbena.cli;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/// One side of the WRITEs of `verbena demo`: a device, memory and a queue pair.
final class DemoSide implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Device device;
    private final CompletionQueue completions;
    private final MemoryRegion region;
    private final QueuePair pair;

    DemoSide(String uri, int bytes) {
        device = Devices.open(uri);
        completions = device.completionQueue(16);
        ProtectionDomain domain = device.protectionDomain();
        region = domain.allocate(bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        pair = domain.queuePair(QueuePairType.RC, it -> it.completions(completions));
    }

    Endpoint endpoint() {
        return pair.endpoint();
    }

    RemoteSlice memory() {
        return region.remote();
    }

    void connect(Endpoint peer) {
        pair.connect(peer);
    }

    /// Fills the memory with bytes that the seed gives.
    void fill(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (long at = 0; at < region.segment().byteSize(); at += Long.BYTES) {
            region.segment().set(ValueLayout.JAVA_LONG, at, random.nextLong());
        }
    }

    /// Writes the whole memory into the peer's, and returns the time until the acknowledgement.
    long writeNs(RemoteSlice target) {
        long startNs = System.nanoTime();
        pair.post(batch -> batch.write(region.slice(0, region.length()), target).signaled());
        if (completions.await(LIMIT, DemoSide::requireSuccess) == 0) {
            throw new PerfException("%s: no completion after %s".formatted(pair, LIMIT));
        }
        return System.nanoTime() - startNs;
    }

    private static void requireSuccess(Completion done) {
        if (!done.isSuccess()) {
            throw new PerfException(done.explanation());
        }
    }

    /// A checksum of the memory.
    int checksum() {
        CRC32C crc = new CRC32C();
        crc.update(region.segment().asByteBuffer());
        return (int) crc.getValue();
    }

    /// The device's counters that are not 0.
    Map<String, Long> counters() {
        Map<String, Long> counters = new TreeMap<>(device.counters());
        counters.values().removeIf(value -> value == 0);
        return counters;
    }

    @Override
    public void close() {
        device.close();
    }
}
