package dev.verbena.benchmarks;

import dev.verbena.wire.capture.CaptureReader;
import dev.verbena.wire.capture.CaptureStatus;
import dev.verbena.wire.capture.CaptureWriter;
import dev.verbena.wire.capture.LinkType;
import dev.verbena.wire.capture.PcapWriter;
import dev.verbena.wire.capture.PcapngWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
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

/// Writing and reading captures, per packet, without a disk behind them.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class CaptureBenchmark {
    private static final int PACKETS = 100;

    @Param({"64", "4096"})
    int payload = 64;

    private final PcapWriter pcap = PcapWriter.on(nowhere(), LinkType.ETHERNET);
    private final PcapngWriter pcapng = PcapngWriter.on(nowhere(), LinkType.ETHERNET);
    private @Nullable CaptureReader pcapReader;
    private @Nullable CaptureReader pcapngReader;
    private MemorySegment frame = MemorySegment.NULL;
    private int length;
    private long nowNs = 1_700_000_000_000_000_000L;

    @Setup
    public void setUp() throws IOException {
        frame = Memory.NATIVE.copyOf(Frames.roce(payload));
        length = (int) frame.byteSize();
        pcapReader = endless(channel -> PcapWriter.on(channel, LinkType.ETHERNET));
        pcapngReader = endless(channel -> PcapngWriter.on(channel, LinkType.ETHERNET));
    }

    @Benchmark
    public void writePcap() throws IOException {
        nowNs += 1000;
        pcap.write(nowNs, frame, 0, length);
    }

    @Benchmark
    public void writePcapng() throws IOException {
        nowNs += 1000;
        pcapng.write(nowNs, frame, 0, length);
    }

    @Benchmark
    public long readPcap() throws IOException {
        return read(Objects.requireNonNull(pcapReader));
    }

    @Benchmark
    public long readPcapng() throws IOException {
        return read(Objects.requireNonNull(pcapngReader));
    }

    private static long read(CaptureReader reader) throws IOException {
        CaptureStatus status = reader.next();
        if (status != CaptureStatus.PACKET) {
            throw new IllegalStateException("the benchmark's own capture: " + status);
        }
        return reader.timestampNs() + reader.at() + reader.length();
    }

    /// A reader of a file whose packets never end: behind the head, they come over and over.
    private CaptureReader endless(Function<WritableByteChannel, CaptureWriter> format)
            throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        byte[] head;
        try (CaptureWriter writer = format.apply(Channels.newChannel(file))) {
            writer.flush();
            head = file.toByteArray();
            for (int i = 0; i < PACKETS; i++) {
                writer.write(nowNs, frame, 0, length);
            }
        }
        byte[] all = file.toByteArray();
        byte[] packets = Arrays.copyOfRange(all, head.length, all.length);
        return CaptureReader.open(new MemoryChannel(head, packets));
    }

    private static MemoryChannel nowhere() {
        return new MemoryChannel(new byte[0], new byte[0]);
    }
}
