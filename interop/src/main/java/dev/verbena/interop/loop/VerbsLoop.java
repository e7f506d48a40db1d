package dev.verbena.interop.loop;

import com.sun.management.ThreadMXBean;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/// What `interop/rxe/verbsloop.c` does, through the verbs API, to be compared with it.
///
/// ```
/// VerbsLoop URI [LATENCY-OPERATIONS [BANDWIDTH-OPERATIONS [WARM-UP-OPERATIONS]]]
/// ```
///
/// Ends with 1 when the measured part of a loop allocated anything on the heap.
public final class VerbsLoop {
    private static final int SMALL = 8;
    private static final int LARGE = 65_536;
    private static final int WINDOW = 64;
    private static final int POLL = 16;

    /// A few objects of the JVM's own, such as a compiled method's first call makes.
    private static final double BYTES_PER_OPERATION_MAX = 0.5;

    private final CompletionQueue queue;
    private final QueuePair pair;
    private final MemoryRegion region;
    private final long remoteAddress;
    private final int remoteKey;

    /// In a field, because a new object in each call would be counted.
    private final Consumer<Completion> check = VerbsLoop::requireSuccess;

    private VerbsLoop(Device device) {
        ProtectionDomain domain = device.protectionDomain();
        queue = device.completionQueue(2 * WINDOW);
        region = domain.allocate(2 * LARGE, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        pair = pair(domain);
        QueuePair peer = pair(domain);
        peer.connect(pair.endpoint());
        pair.connect(peer.endpoint());
        remoteAddress = region.remote().address() + LARGE;
        remoteKey = region.remote().key();
    }

    private QueuePair pair(ProtectionDomain domain) {
        return domain.queuePair(
                QueuePairType.RC, it -> it.completions(queue).sendDepth(2 * WINDOW));
    }

    /// See above for the words.
    public static void main(String... words) {
        int small = number(words, 1, 10_000);
        int large = number(words, 2, 1_000);
        int warm = number(words, 3, 20_000);
        boolean isClean;
        try (Device device = Devices.open(words[0])) {
            VerbsLoop loop = new VerbsLoop(device);
            loop.latency(warm);
            // The first round of each is for what is made once.
            Run latency = Run.of(loop::latency, small, 2);
            System.out.printf("loop java latency %.1f ns/op%n", latency.ns() / (double) small);
            loop.bandwidth(Math.max(1, warm / 20));
            Run bandwidth = Run.of(loop::bandwidth, large, 2);
            System.out.printf(
                    "loop java bandwidth %.0f bytes/s%n",
                    (double) LARGE * large / (bandwidth.ns() / 1e9));
            System.out.printf(
                    "loop java heap %.3f B/op and %.3f B/op%n",
                    latency.bytes() / (double) small, bandwidth.bytes() / (double) large);
            isClean =
                    latency.bytes() < BYTES_PER_OPERATION_MAX * small
                            && bandwidth.bytes() < BYTES_PER_OPERATION_MAX * large;
        }
        System.exit(isClean ? 0 : 1);
    }

    private static int number(String[] words, int index, int otherwise) {
        return index < words.length ? Integer.parseInt(words[index]) : otherwise;
    }

    private void latency(int operations) {
        for (int i = 0; i < operations; i++) {
            post(SMALL);
            while (queue.poll(1, check) == 0) {
                Thread.onSpinWait();
            }
        }
    }

    private void bandwidth(int operations) {
        int posted = 0;
        int done = 0;
        while (done < operations) {
            while (posted < operations && posted - done < WINDOW) {
                post(LARGE);
                posted++;
            }
            done += queue.poll(POLL, check);
        }
    }

    private void post(int length) {
        boolean isPosted =
                pair.sends()
                        .write(remoteAddress, remoteKey)
                        .local(region, 0, length)
                        .signaled()
                        .post();
        if (!isPosted) {
            throw new IllegalStateException("the send queue is full");
        }
    }

    private static void requireSuccess(Completion it) {
        if (!it.isSuccess()) {
            throw new IllegalStateException("completion: " + it.status());
        }
    }

    /// What a loop took, and what it allocated.
    private record Run(long ns, long bytes) {
        private static final ThreadMXBean THREADS =
                (ThreadMXBean) ManagementFactory.getThreadMXBean();

        /// The last of so many rounds.
        static Run of(IntConsumer loop, int operations, int rounds) {
            Run last = new Run(0, 0);
            for (int i = 0; i < rounds; i++) {
                long bytes = THREADS.getCurrentThreadAllocatedBytes();
                long startNs = System.nanoTime();
                loop.accept(operations);
                long ns = System.nanoTime() - startNs;
                last = new Run(ns, THREADS.getCurrentThreadAllocatedBytes() - bytes);
            }
            return last;
        }
    }
}
