package dev.verbena.benchmarks;

import dev.verbena.wire.Bth;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.IcrcPseudoHeader;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Reth;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
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

/// The ICRC of a WRITE against the JDK's CRC-32 over as many bytes in the same kind of memory.
///
/// The JDK's CRC-32 is one call on bytes that lie in one piece, with nothing to mask: what it takes
/// is the least that an ICRC made of it can take.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class IcrcBenchmark {
    /// The ones that stand for an LRH, which the ICRC covers but no frame holds.
    private static final int LRH_ONES = 8;

    private static final int PAD_MAX = 4;

    @Param({"NATIVE", "AUTO", "SHARED", "HEAP"})
    Memory memory = Memory.NATIVE;

    @Param({"256", "1024", "4096"})
    int payload = 4096;

    private final Icrc icrc = new Icrc();
    private final IcrcPseudoHeader header = Frames.pseudoHeader();
    private final PacketView view = new PacketView();
    private final CRC32 crc = new CRC32();
    private MemorySegment bare = MemorySegment.NULL;
    private MemorySegment headers = MemorySegment.NULL;
    private MemorySegment data = MemorySegment.NULL;
    private ByteBuffer plain = ByteBuffer.allocate(0);
    private byte[] plainArray = {};
    private int covered;

    @Setup
    public void setUp() {
        MemorySegment frame = memory.copyOf(Frames.roce(payload));
        view.wrapEthernet(frame, 0, (int) frame.byteSize());
        bare = memory.copyOf(Frames.bare(payload));
        headers = memory.copyOf(bare.asSlice(0, Bth.LENGTH + Reth.LENGTH + PAD_MAX));
        data = memory.copyOf(bare.asSlice(Bth.LENGTH + Reth.LENGTH, payload));
        covered = (int) (view.icrcAt() - view.networkAt()) + LRH_ONES;
        // At the offset where the ICRC of a whole frame starts, so that lines are cut alike.
        long at = view.networkAt() - LRH_ONES;
        plain = memory.allocate(at + covered).asSlice(at).asByteBuffer();
        plainArray = new byte[covered];
        if (!icrc.isRight(view) || bareCompute() != Icrc.stored(frame, view.icrcAt())) {
            throw new IllegalStateException("the benchmark's own ICRC is wrong");
        }
    }

    /// A whole frame, as a capture or a raw socket shows it.
    @Benchmark
    public int frame() {
        return icrc.compute(view);
    }

    /// A packet from a UDP socket, whose network headers come from a pseudo header.
    @Benchmark
    public int bare() {
        return bareCompute();
    }

    /// A packet to be sent: its headers and pad lie in a ring, its payload in the user's memory.
    @Benchmark
    public int pieces() {
        int first = Bth.LENGTH + Reth.LENGTH;
        icrc.start(header, 0, headers, 0, first, first + payload);
        icrc.add(data, 0, payload);
        icrc.add(headers, first, 0);
        return icrc.value();
    }

    /// The reference: a buffer over the same kind of memory, made once.
    @Benchmark
    public int crc32() {
        crc.reset();
        crc.update(plain.clear());
        return (int) crc.getValue();
    }

    /// The reference on a plain array, whatever `memory` says.
    @Benchmark
    public int crc32OfArray() {
        crc.reset();
        crc.update(plainArray, 0, covered);
        return (int) crc.getValue();
    }

    private int bareCompute() {
        return icrc.compute(header, 0, bare, 0, (int) bare.byteSize() - Icrc.LENGTH);
    }
}
