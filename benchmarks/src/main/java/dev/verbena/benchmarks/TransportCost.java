package dev.verbena.benchmarks;

import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.function.LongSupplier;

/// What an operation costs both sides together: large ones beside a bare copy of the same bytes, in
/// turns; small ones in CPU time of the one thread that does everything.
public final class TransportCost {
    private static final int LARGE = 1 << 20;
    private static final int SMALL = 8;
    private static final int BATCH = 32;
    private static final int ROUNDS = 3_000;
    private static final int CALLS = 20_000;
    private static final int SLICES = 60;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /// Keeps the results alive, so that no call can be left out.
    private static long sink;

    private TransportCost() {}

    /// Prints every figure on a line.
    public static void main(String[] arguments) {
        BackToBack pair = new BackToBack(LARGE);
        double[] small = new double[SLICES];
        double[] batched = new double[SLICES];
        double[] send = new double[SLICES];
        // In turns, so that each is as warm as the others.
        for (int slice = -2 * SLICES; slice < SLICES; slice++) {
            double one = cpuNs(() -> pair.write(SMALL), CALLS);
            double two = cpuNs(() -> pair.writeBatch(BATCH, SMALL), CALLS / BATCH) / BATCH;
            double three = cpuNs(() -> pair.send(SMALL), CALLS);
            if (slice >= 0) {
                small[slice] = one;
                batched[slice] = two;
                send[slice] = three;
            }
        }
        new Figure("WRITE of 8 bytes, alone", median(small), "ns of CPU").print();
        new Figure("WRITE of 8 bytes, 32 in a batch", median(batched), "ns of CPU").print();
        new Figure("SEND of 8 bytes, alone", median(send), "ns of CPU").print();
        double[] ratios = new double[ROUNDS];
        double[] times = new double[ROUNDS];
        for (int round = -ROUNDS; round < ROUNDS; round++) {
            long start = System.nanoTime();
            MemorySegment.copy(pair.source.segment(), 0, pair.target.segment(), 0, LARGE);
            long copied = System.nanoTime();
            pair.write(LARGE);
            long written = System.nanoTime();
            if (round >= 0) {
                ratios[round] = (copied - start) / (double) (written - copied);
                times[round] = written - copied;
            }
        }
        new Figure("WRITE of 1 MiB beside MemorySegment.copy", median(ratios), "ratio").print();
        new Figure("WRITE of 1 MiB", LARGE / median(times), "GB/s").print();
        if (sink == 42) {
            System.out.println();
        }
    }

    private static double cpuNs(LongSupplier operation, int calls) {
        long start = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < calls; i++) {
            sink += operation.getAsLong();
        }
        return (THREADS.getCurrentThreadCpuTime() - start) / (double) calls;
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
