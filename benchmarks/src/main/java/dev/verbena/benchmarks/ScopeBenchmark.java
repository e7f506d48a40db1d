package dev.verbena.benchmarks;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// What the scope of a segment costs a copy: the ground of decision 6.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ScopeBenchmark {
    /// Bytes of a copy.
    @Param({"8", "4096"})
    public int bytes;

    /// Whose segments are copied between.
    @Param({"GLOBAL", "AUTOMATIC", "SHARED"})
    public Kind kind = Kind.GLOBAL;

    private MemorySegment from = MemorySegment.NULL;
    private MemorySegment to = MemorySegment.NULL;

    /// Kinds of arenas.
    public enum Kind {
        GLOBAL,
        AUTOMATIC,
        SHARED
    }

    /// Filled by JMH.
    public ScopeBenchmark() {}

    @Setup
    public void setUp() {
        Arena arena =
                switch (kind) {
                    case GLOBAL -> Arena.global();
                    case AUTOMATIC -> Arena.ofAuto();
                    case SHARED -> Arena.ofShared();
                };
        from = arena.allocate(bytes, 64);
        to = arena.allocate(bytes, 64);
    }

    @Benchmark
    public MemorySegment copy() {
        MemorySegment.copy(from, 0, to, 0, bytes);
        return to;
    }
}
