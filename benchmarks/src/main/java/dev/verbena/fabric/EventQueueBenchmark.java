package dev.verbena.fabric;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// What the next event costs, with so many to come: one is taken out, and one put in for it, as far
/// ahead as fabrics do it.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class EventQueueBenchmark {
    /// The end of a packet of 4 KiB at 400 Gb/s, of one with an acknowledgement, the far end of a
    /// cable, and now and then a timer.
    private static final int[] AHEAD_PS = {83_200, 83_200, 583_200, 583_200, 1_680, 501_680};

    private static final int TIMER_PS = 67_000_000;

    /// As many as a fabric of some 60, 1,000 and 8,000 busy ports has.
    @Param({"128", "2048", "16384"})
    private int pending;

    private final EventQueue wheel = new EventQueue();
    private final EventHeap heap = new EventHeap();
    private final PriorityQueue<Long> library = new PriorityQueue<>();
    private final int[] ahead = new int[1 << 12];
    private int at;

    /// Fills all three.
    @Setup
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < ahead.length; i++) {
            ahead[i] = i % 100 == 0 ? TIMER_PS : AHEAD_PS[random.nextInt(AHEAD_PS.length)];
        }
        for (int i = 0; i < pending; i++) {
            long timePs = random.nextInt(600_000);
            wheel.add(i, timePs);
            heap.add(i, timePs);
            library.add(timePs << EventQueue.ORDER_BITS | i);
        }
    }

    private int ahead() {
        at = (at + 1) & (ahead.length - 1);
        return ahead[at];
    }

    /// The wheel with its heap, as fabrics have it.
    @Benchmark
    public int wheel() {
        long nowPs = wheel.nextPs();
        int order = wheel.next();
        wheel.add(order, nowPs + ahead());
        return order;
    }

    /// The heap alone.
    @Benchmark
    public int heap() {
        long nowPs = heap.nextPs();
        int order = heap.next();
        heap.add(order, nowPs + ahead());
        return order;
    }

    /// The JDK's, with time and order in one number.
    @Benchmark
    public long library() {
        long next = library.remove();
        long nowPs = next >> EventQueue.ORDER_BITS;
        library.add((nowPs + ahead()) << EventQueue.ORDER_BITS | (next & 0xFF_FFFF));
        return next;
    }
}
