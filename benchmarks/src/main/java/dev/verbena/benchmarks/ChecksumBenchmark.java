package dev.verbena.benchmarks;

import dev.verbena.wire.Ipv4IdSolver;
import dev.verbena.wire.Vcrc;
import java.lang.foreign.MemorySegment;
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

/// The checks beside the ICRC: the VCRC of native links, and finding a hidden IPv4 identification.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class ChecksumBenchmark {
    private static final int COVERED = 4096;

    @Param({"NATIVE", "HEAP"})
    Memory memory = Memory.NATIVE;

    private MemorySegment packet = MemorySegment.NULL;
    private int computed = 0x1234_5678;
    private int received = 0x0BAD_CAFE;

    @Setup
    public void setUp() {
        packet = memory.copyOf(Frames.bare(COVERED));
    }

    @Benchmark
    public int vcrc() {
        return Vcrc.compute(packet, 0, COVERED);
    }

    /// The worst case: the two checksums have nothing to do with each other.
    @Benchmark
    public int ipv4IdSolver() {
        computed += 0x9E37_79B9;
        received ^= computed;
        return Ipv4IdSolver.solve(computed, received, COVERED);
    }
}
