package dev.verbena.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// A message into a datagram queue pair or a shared receive queue, both sides, in one thread.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class DatagramBenchmark {
    /// Bytes of a message.
    @Param({"8", "4096"})
    public int bytes;

    private Datagrams pair = new Datagrams(8);

    /// Filled by JMH.
    public DatagramBenchmark() {}

    @Setup
    public void setUp() {
        pair = new Datagrams(bytes);
    }

    @Benchmark
    public long datagram() {
        return pair.datagram(bytes);
    }

    @Benchmark
    public long sharedReceive() {
        return pair.shared(bytes);
    }
}
