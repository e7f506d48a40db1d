package dev.verbena.conformance;

import dev.verbena.testkit.Wait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.time.Duration;

/// A thread that is inside of a system call which will write to some memory.
public final class BlockedRead implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Pipe pipe;
    private final Thread reader;

    /// Returns when the thread is there.
    public BlockedRead(MemorySegment memory) throws IOException {
        pipe = Pipe.open();
        ByteBuffer buffer = memory.asByteBuffer();
        reader = Thread.ofPlatform().start(() -> read(buffer));
        Wait.until("a thread is in a system call", LIMIT, this::isInRead);
    }

    private void read(ByteBuffer buffer) {
        try {
            pipe.source().read(buffer);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /// Other native methods come before this one, when the memory is not held yet.
    private boolean isInRead() {
        StackTraceElement[] trace = reader.getStackTrace();
        return trace.length > 0 && trace[0].getMethodName().equals("read0");
    }

    /// Lets the call write to the memory and end.
    public void end() throws IOException, InterruptedException {
        pipe.sink().write(ByteBuffer.wrap(new byte[8]));
        reader.join();
    }

    @Override
    public void close() throws IOException {
        pipe.sink().close();
        pipe.source().close();
    }
}
