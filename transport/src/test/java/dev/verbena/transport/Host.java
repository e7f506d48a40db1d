package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One side of the campaign: a device, what its queue pairs share, and its endpoints.
final class Host {
    static final int SOURCE_BYTES = 64 << 10;
    static final int COUNTERS = 4;
    static final int PHANTOM_BYTES = 1 << 20;

    final int index;
    final TransportDevice device;
    final ProtectionDomain domain;
    final CompletionQueue completions;
    final HostMemory hostMemory;
    final List<RcEndpoint> endpoints = new ArrayList<>();
    final List<UnreliableEndpoint> unreliable = new ArrayList<>();
    final CounterModel model;

    /// Bytes that never change: what is sent, and what peers may read.
    final MemorySegment source;

    final MemoryRegion sourceRegion;

    /// Counters that every endpoint of the other host adds one to.
    final MemoryRegion counters;

    /// Receives that several endpoints take from, in some seeds.
    @Nullable SharedPool shared;

    /// Memory that is a length only, and memory of another protection domain.
    final MemoryRegion phantom;

    private final ProtectionDomain otherDomain;
    final MemoryRegion elsewhere;

    private final long[] counted = new long[COUNTERS];
    private final long[] uncertain = new long[COUNTERS];
    private final List<BitSet> fetched = new ArrayList<>();

    Host(
            int index,
            TransportDevice device,
            HostMemory hostMemory,
            byte[] bytes,
            int completionsMax) {
        this.index = index;
        this.device = device;
        this.hostMemory = hostMemory;
        hostMemory.clear();
        model = new CounterModel(device.engine().counters);
        domain = device.protectionDomain();
        completions = device.completionQueue(completionsMax);
        source = hostMemory.cut(SOURCE_BYTES);
        MemorySegment.copy(bytes, 0, source, ValueLayout.JAVA_BYTE, 0, SOURCE_BYTES);
        sourceRegion = domain.register(source, Access.REMOTE_READ);
        counters = domain.allocate(COUNTERS * 8L, Access.REMOTE_ATOMIC);
        phantom =
                TransportDevice.phantom(
                        domain, PHANTOM_BYTES, Access.REMOTE_WRITE, Access.REMOTE_READ);
        otherDomain = device.protectionDomain();
        elsewhere =
                otherDomain.allocate(
                        128, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
        for (int i = 0; i < COUNTERS; i++) {
            fetched.add(new BitSet());
        }
    }

    /// The bytes of every source.
    static byte[] sourceBytes() {
        return Choices.from(0x5EED).bytes(SOURCE_BYTES);
    }

    /// An atomic of a peer on a shared counter is known to be done, and fetched a value.
    void fetched(int counter, long value) {
        counted[counter]++;
        BitSet seen = fetched.get(counter);
        if (value < 0 || value > 1 << 24 || seen.get((int) value)) {
            throw new AssertionError(
                    "counter %d: the value %d was fetched twice or never was"
                            .formatted(counter, value));
        }
        seen.set((int) value);
    }

    /// An atomic of a peer failed: it may have been carried out or not.
    void maybeFetched(int counter) {
        uncertain[counter]++;
    }

    void checkCounters() {
        for (int i = 0; i < COUNTERS; i++) {
            long now = counters.segment().get(ValueLayout.JAVA_LONG, i * 8L);
            boolean highest = fetched.get(i).length() <= now;
            if (now < counted[i] || now > counted[i] + uncertain[i] || !highest) {
                throw new AssertionError(
                        "host %d: counter %d is %d after %d atomics, %d uncertain, highest %d"
                                .formatted(
                                        index,
                                        i,
                                        now,
                                        counted[i],
                                        uncertain[i],
                                        fetched.get(i).length() - 1));
            }
        }
    }

    /// The queue pair of an unreliable service with this number, or null.
    @Nullable UnreliableEndpoint looseOf(int queuePair) {
        for (int i = 0; i < unreliable.size(); i++) {
            if (unreliable.get(i).number == queuePair) {
                return unreliable.get(i);
            }
        }
        return null;
    }

    RcEndpoint laneOf(int queuePair) {
        for (int i = 0; i < endpoints.size(); i++) {
            if (endpoints.get(i).number == queuePair) {
                return endpoints.get(i);
            }
        }
        throw new AssertionError("a completion of qp 0x%x, which is not ours".formatted(queuePair));
    }

    void close() {
        sourceRegion.close();
        counters.close();
        phantom.close();
        elsewhere.close();
        otherDomain.close();
        completions.close();
        domain.close();
    }
}
