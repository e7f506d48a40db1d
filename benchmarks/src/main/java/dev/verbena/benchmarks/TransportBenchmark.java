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

/// An operation from post to completion, both sides and all packets, in one thread.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class TransportBenchmark {
    /// Bytes of a message.
    @Param({"8", "1048576"})
    public int bytes;

    private BackToBack pair = new BackToBack(8);
    private BackToBack selective = new BackToBack(8, true);

    /// Filled by JMH.
    public TransportBenchmark() {}

    @Setup
    public void setUp() {
        pair = new BackToBack(bytes);
        selective = new BackToBack(bytes, true);
    }

    @Benchmark
    public long write() {
        return pair.write(bytes);
    }

    @Benchmark
    public long send() {
        return pair.send(bytes);
    }

    @Benchmark
    public long writeSelectively() {
        return selective.write(bytes);
    }

    @Benchmark
    public long sendSelectively() {
        return selective.send(bytes);
    }

    @Benchmark
    public long writePleasantly() {
        return pair.writePleasantly(bytes);
    }

    @Benchmark
    public long sendPleasantly() {
        return pair.sendPleasantly(bytes);
    }
}
