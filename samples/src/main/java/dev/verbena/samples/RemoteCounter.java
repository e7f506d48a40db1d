package dev.verbena.samples;

import module dev.verbena.verbs;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;

/// A counter in a peer's memory: FETCH_ADD counts it up, CAS sets it back.
///
/// Several queue pairs do so at once, and the peer's program does nothing.
final class RemoteCounter {
    private static final int PAIRS = 4;
    private static final int TOTAL = PAIRS * 1000;

    public static void main(String[] args) {
        try (Device left = Devices.open(args.length > 0 ? args[0] : "loopback://left");
                Device right = Devices.open(args.length > 1 ? args[1] : "loopback://right")) {
            ProtectionDomain here = left.protectionDomain();
            ProtectionDomain there = right.protectionDomain();
            CompletionQueue done = left.completionQueue(PAIRS);
            CompletionQueue idle = right.completionQueue(1); // nothing completes over there
            MemoryRegion before = here.allocate(8 * PAIRS, Access.LOCAL_WRITE);
            MemoryRegion counter = there.allocate(8, Access.REMOTE_ATOMIC);
            RemoteSlice target = counter.remote();

            QueuePair[] pairs = new QueuePair[PAIRS];
            for (int i = 0; i < PAIRS; i++) {
                pairs[i] = here.queuePair(QueuePairType.RC, it -> it.completions(done).signalAll());
                QueuePair peer = there.queuePair(QueuePairType.RC, it -> it.completions(idle));
                pairs[i].connect(peer.endpoint());
                peer.connect(pairs[i].endpoint());
            }

            // Every value is returned exactly once, in any order.
            BitSet seen = new BitSet(TOTAL);
            for (int count = 0; count < TOTAL; count += PAIRS) {
                for (int i = 0; i < PAIRS; i++) {
                    LocalSlice result = before.slice(8L * i, 8);
                    pairs[i].post(batch -> batch.fetchAndAdd(result, target, 1));
                }
                for (long value : awaitAll(done, before)) {
                    seen.set((int) value);
                }
            }
            System.out.printf("%d additions, %d different values%n", TOTAL, seen.cardinality());

            // All try to set it back to zero; one finds the total there and wins.
            for (int i = 0; i < PAIRS; i++) {
                LocalSlice result = before.slice(8L * i, 8);
                pairs[i].post(batch -> batch.compareAndSwap(result, target, TOTAL, 0));
            }
            long winners = Arrays.stream(awaitAll(done, before)).filter(it -> it == TOTAL).count();
            long end = counter.segment().get(ValueLayout.JAVA_LONG, 0);
            System.out.printf("%d winner of %d, counter at %d%n", winners, PAIRS, end);
            if (seen.cardinality() != TOTAL || winners != 1 || end != 0) {
                throw new IllegalStateException("the counter has a wrong value");
            }
        }
    }

    /// The values that the atomics found. Each ends: if not with success, then with an error.
    private static long[] awaitAll(CompletionQueue done, MemoryRegion before) {
        for (int ended = 0; ended < PAIRS; ) {
            ended += done.await(Duration.ofSeconds(1), RemoteCounter::requireSuccess);
        }
        return before.segment().toArray(ValueLayout.JAVA_LONG);
    }

    private static void requireSuccess(Completion done) {
        if (!done.isSuccess()) {
            throw new IllegalStateException(done.explanation());
        }
    }
}
