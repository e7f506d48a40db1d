package dev.verbena.benchmarks.compare;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/// Moves bytes between two `roce://` devices of one thread and prints the CPU time of an operation,
/// in nanoseconds: `Workload NAME LEFT RIGHT SECONDS`. It uses nothing but what every build has.
public final class Workload {
    private static final int WARM_UP_SECONDS = 3;
    private static final int DEPTH = 16;
    private static final int BATCH = 256;
    private static final Access[] RIGHTS = {
        Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ
    };

    private final QueuePair pair;
    private final CompletionQueue done;
    private final Device other;
    private final MemoryRegion near;
    private final MemoryRegion far;
    private final boolean isRead;

    private Workload(String name, Device left, Device right) {
        other = right;
        isRead = name.startsWith("read");
        long bytes = name.endsWith("64") ? 64 : 65_536;
        ProtectionDomain here = left.protectionDomain();
        ProtectionDomain there = right.protectionDomain();
        done = left.completionQueue(DEPTH);
        CompletionQueue unused = right.completionQueue(DEPTH);
        near = memory(name, here, bytes);
        far = memory(name, there, bytes);
        pair = here.queuePair(QueuePairType.RC, it -> it.completions(done).sendDepth(DEPTH));
        QueuePair peer =
                there.queuePair(QueuePairType.RC, it -> it.completions(unused).sendDepth(1));
        pair.connect(peer.endpoint());
        peer.connect(pair.endpoint());
    }

    /// The device's own, that of the collector, or that of an arena which can be closed at any
    /// time.
    private static MemoryRegion memory(String name, ProtectionDomain domain, long bytes) {
        if (name.contains("closable")) {
            return domain.register(Arena.ofShared().allocate(bytes, 64), RIGHTS);
        }
        return name.contains("registered")
                ? domain.register(Arena.ofAuto().allocate(bytes, 64), RIGHTS)
                : domain.allocate(bytes, RIGHTS);
    }

    public static void main(String[] args) {
        try (Device left = Devices.open("roce://" + args[1] + "?progress=caller");
                Device right = Devices.open("roce://" + args[2] + "?progress=caller")) {
            Workload work = new Workload(args[0], left, right);
            work.run(WARM_UP_SECONDS);
            System.out.println(work.run(Integer.parseInt(args[3])));
        }
    }

    /// CPU time of this thread for each operation. Both devices are driven by it, so that nothing
    /// waits and nothing is handed over.
    private double run(int seconds) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long endNs = System.nanoTime() + seconds * 1_000_000_000L;
        long operations = 0;
        long beforeNs = threads.getCurrentThreadCpuTime();
        while (System.nanoTime() < endNs) {
            for (int i = 0; i < BATCH; i++) {
                one();
            }
            operations += BATCH;
        }
        return (double) (threads.getCurrentThreadCpuTime() - beforeNs) / operations;
    }

    private void one() {
        boolean isPosted =
                pair.post(
                        it -> {
                            if (isRead) {
                                it.read(near.slice(), far.remote()).signaled();
                            } else {
                                it.write(near.slice(), far.remote()).signaled();
                            }
                        });
        if (!isPosted) {
            throw new IllegalStateException("the send queue is full");
        }
        while (done.poll(1, Workload::require) == 0) {
            other.progress();
        }
    }

    private static void require(Completion completion) {
        if (!completion.isSuccess()) {
            throw new IllegalStateException(completion.toString());
        }
    }
}
