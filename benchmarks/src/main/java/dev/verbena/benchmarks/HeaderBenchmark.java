package dev.verbena.benchmarks;

import dev.verbena.wire.Bth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Reth;
import dev.verbena.wire.Verdict;
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

/// Parsing and emitting the headers of a small WRITE: BTH and RETH, with all checks of the door.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class HeaderBenchmark {
    private static final int PAYLOAD = 64;

    @Param({"NATIVE", "AUTO", "SHARED", "HEAP"})
    Memory memory = Memory.NATIVE;

    private final PacketView view = new PacketView();
    private MemorySegment frame = MemorySegment.NULL;
    private MemorySegment bare = MemorySegment.NULL;
    private MemorySegment target = MemorySegment.NULL;
    private int psn = Frames.PSN;

    @Setup
    public void setUp() {
        frame = memory.copyOf(Frames.roce(PAYLOAD));
        bare = memory.copyOf(Frames.bare(PAYLOAD));
        target = memory.allocate(bare.byteSize());
        require(view.wrapEthernet(frame, 0, (int) frame.byteSize()));
        require(view.wrapTransport(bare, 0, (int) bare.byteSize()));
    }

    /// What a UDP socket delivers: from the BTH through the ICRC.
    @Benchmark
    public long parseTransport() {
        Verdict verdict = view.wrapTransport(bare, 0, (int) bare.byteSize());
        return verdict.isOk() ? fields() : 0;
    }

    /// A whole frame: Ethernet, IPv4 with its header checksum, and UDP come first.
    @Benchmark
    public long parseFrame() {
        Verdict verdict = view.wrapEthernet(frame, 0, (int) frame.byteSize());
        return verdict.isOk() ? fields() : 0;
    }

    private long fields() {
        MemorySegment segment = view.segment();
        long reth = view.at(ExtendedHeader.RETH);
        return view.opcode().code()
                + view.destQp()
                + view.psn()
                + Reth.address(segment, reth)
                + Reth.rkey(segment, reth)
                + Reth.lengthBytes(segment, reth);
    }

    @Benchmark
    public MemorySegment emit() {
        // Changes from packet to packet, so that nothing is a constant to the compiler.
        psn = (psn + 1) & 0xFFFFFF;
        Bth.put(target, 0, Frames.WRITE_ONLY, Bth.ACK_REQUEST, 0, 0xFFFF, Frames.QP, psn);
        Reth.put(target, Bth.LENGTH, Frames.ADDRESS + psn, Frames.RKEY, PAYLOAD);
        return target;
    }

    private static void require(Verdict verdict) {
        if (!verdict.isOk()) {
            throw new IllegalStateException("the benchmark's own packet: " + verdict);
        }
    }
}
