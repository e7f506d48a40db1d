package dev.verbena.benchmarks.compare;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.SendBatch;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.function.LongSupplier;

/// Moves bytes between two devices of one thread and prints the CPU time of an operation, in
/// nanoseconds: `Workload ROW`. It uses nothing but what every build has.
public final class Workload {
    private static final long SLICE_NS = 60_000_000;
    private static final int SLICES = 10;

    /// A workload is warm when it had this much CPU time and its last slices compiled hardly
    /// anything.
    private static final long WARM_UP_NS = 800_000_000;

    private static final int QUIET_SLICES = 6;
    private static final long QUIET_COMPILATION_MS = 10;
    private static final int WARM_UP_SLICES_MAX = 250;
    private static final int BATCH = 32;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final End left;
    private final End right;

    /// Over sockets each device moves only when it is driven; in memory a poll moves both.
    private final boolean isDriven;

    private Workload(Row row, Device leftDevice, Device rightDevice) {
        left = new End(leftDevice, row);
        right = new End(rightDevice, row);
        isDriven = row.group() != Row.Group.TRANSPORT;
        if (row.operation() == Row.Operation.DATAGRAM) {
            left.pair.activate();
            right.pair.activate();
        } else {
            left.pair.connect(right.pair.endpoint());
            right.pair.connect(left.pair.endpoint());
        }
    }

    public static void main(String[] args) {
        Row row = Row.named(args[0]);
        if (row.group() == Row.Group.FABRIC) {
            measure(() -> FabricWork.run(row.operation()));
            return;
        }
        try (Device left = Devices.open(row.group().left);
                Device right = Devices.open(row.group().right)) {
            Workload work = new Workload(row, left, right);
            Runnable operations = work.operations(row.operation());
            measure(
                    () -> {
                        operations.run();
                        return BATCH;
                    });
        }
    }

    /// @param operations returns how many there were
    private static void measure(LongSupplier operations) {
        warmUp(operations);
        double[] slices = new double[SLICES];
        for (int i = 0; i < SLICES; i++) {
            slices[i] = slice(operations).operationNs();
        }
        // The median: another program that takes the processor's cache spoils a slice or two.
        Arrays.sort(slices);
        System.out.println((slices[SLICES / 2 - 1] + slices[SLICES / 2]) / 2);
    }

    private static void warmUp(LongSupplier operations) {
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        long cpuNs = 0;
        long compiledMs = 0;
        int quiet = 0;
        for (int i = 0; cpuNs < WARM_UP_NS || quiet < QUIET_SLICES; i++) {
            if (i == WARM_UP_SLICES_MAX) {
                throw new IllegalStateException("the JIT compiler does not settle");
            }
            cpuNs += slice(operations).cpuNs;
            long nowMs = compiler.getTotalCompilationTime();
            quiet = nowMs - compiledMs <= QUIET_COMPILATION_MS ? quiet + 1 : 0;
            compiledMs = nowMs;
        }
    }

    /// CPU time of this thread, and what it did in it. It drives both devices, so that nothing
    /// waits and nothing is handed over.
    private record Slice(long cpuNs, long count) {
        double operationNs() {
            return (double) cpuNs / count;
        }
    }

    private static Slice slice(LongSupplier operations) {
        long endNs = System.nanoTime() + SLICE_NS;
        long count = 0;
        long beforeNs = THREADS.getCurrentThreadCpuTime();
        do {
            count += operations.getAsLong();
        } while (System.nanoTime() < endNs);
        return new Slice(THREADS.getCurrentThreadCpuTime() - beforeNs, count);
    }

    /// `BATCH` operations, each from its posts to its completions, or all posted at once.
    private Runnable operations(Row.Operation operation) {
        RemoteSlice target = right.memory.remote();
        return switch (operation) {
            case WRITE -> () -> repeat(() -> write(target));
            case BATCH -> () -> writeAll(target);
            case READ -> () -> repeat(() -> read(target));
            case SEND -> () -> repeat(() -> send(left, right));
            case PING_PONG ->
                    () ->
                            repeat(
                                    () -> {
                                        send(left, right);
                                        send(right, left);
                                    });
            case DATAGRAM -> {
                AddressHandle way = left.wayTo(right);
                int number = right.pair.number();
                int key = right.pair.endpoint().queueKey();
                yield () -> repeat(() -> datagram(way, number, key));
            }
            case PERMUTATION, INCAST, INFINIBAND ->
                    throw new IllegalArgumentException(operation + " needs no devices");
        };
    }

    private static void repeat(Runnable one) {
        for (int i = 0; i < BATCH; i++) {
            one.run();
        }
    }

    private void write(RemoteSlice to) {
        SendBatch batch = left.pair.sends().write(to.address(), to.key());
        End.require(batch.local(left.memory, 0, left.bytes).signaled().post());
        finish(left, right);
    }

    private void writeAll(RemoteSlice to) {
        SendBatch batch = left.pair.sends();
        for (int i = 0; i < BATCH; i++) {
            batch.write(to.address(), to.key()).local(left.memory, 0, left.bytes);
        }
        End.require(batch.signaled().post());
        finish(left, right);
    }

    private void read(RemoteSlice from) {
        SendBatch batch = left.pair.sends().read(from.address(), from.key());
        End.require(batch.local(left.memory, 0, left.bytes).signaled().post());
        finish(left, right);
    }

    private void send(End from, End to) {
        to.receive();
        from.send();
        finish(to, from);
        finish(from, to);
    }

    private void datagram(AddressHandle way, int number, int key) {
        right.receive();
        SendBatch batch = left.pair.sends().send().to(way, number, key);
        End.require(batch.local(left.memory, 0, left.bytes).signaled().post());
        finish(left, right);
        finish(right, left);
    }

    /// Waits for one completion of this end, which must be a success.
    private void finish(End end, End other) {
        while (end.done.poll(1, Workload::require) == 0) {
            if (isDriven) {
                other.device.progress();
            }
        }
    }

    private static void require(Completion completion) {
        if (!completion.isSuccess()) {
            throw new IllegalStateException(completion.toString());
        }
    }
}
