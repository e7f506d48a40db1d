package dev.verbena.easy;

import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.MemoryRegion;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Registered buffers of one length, for [RemoteMemory] without copies. Threads may share it.
///
/// All of its memory is registered when the pool is made; taking a buffer registers nothing.
public final class BufferPool implements AutoCloseable {
    private static final int LINE = 64;

    private final RdmaNode node;
    private final Gate gate;
    private final MemoryRegion region;
    private final int buffers;
    private final int bytes;
    private final long stride;
    private final IntRing free;
    private final ArrayDeque<Thread> takers = new ArrayDeque<>();
    private boolean isClosed;

    BufferPool(RdmaNode node, Waits waits, MemoryRegion region, int buffers, int bytes) {
        this.node = node;
        this.region = region;
        this.buffers = buffers;
        this.bytes = bytes;
        gate = new Gate(waits);
        stride = stride(bytes);
        free = IntRing.full(buffers);
    }

    static long stride(int bytes) {
        return (bytes + LINE - 1L) / LINE * LINE;
    }

    RdmaNode node() {
        return node;
    }

    MemoryRegion region() {
        return region;
    }

    /// The length of each buffer.
    public int bufferBytes() {
        return bytes;
    }

    /// The number of buffers that are free now.
    public int free() {
        gate.lock();
        try {
            return free.size();
        } finally {
            gate.unlock();
        }
    }

    /// Takes a buffer, with the bytes that its last user left; null when all are taken.
    public @Nullable PooledBuffer tryTake() {
        gate.lock();
        try {
            requireOpen();
            return free.isEmpty() ? null : next();
        } finally {
            gate.unlock();
        }
    }

    /// Takes a buffer, and waits for one that long.
    public PooledBuffer take(Duration limit) throws IOException {
        gate.lock();
        try {
            boolean isThere =
                    gate.await(takers, gate.waits.after(limit), () -> isClosed || !free.isEmpty());
            requireOpen();
            if (!isThere) {
                throw new SocketTimeoutException(
                        "%s: all are taken, for %d ms".formatted(this, limit.toMillis()));
            }
            return next();
        } finally {
            gate.unlock();
        }
    }

    private PooledBuffer next() {
        int slot = free.take();
        return new PooledBuffer(this, slot, slot * stride, bytes);
    }

    private void requireOpen() {
        if (isClosed) {
            throw new ClosedException(toString(), "it is closed", "take buffers before");
        }
    }

    void back(int slot) {
        gate.lock();
        try {
            free.add(slot);
            gate.wake(takers);
        } finally {
            gate.unlock();
        }
    }

    /// Frees the memory when no operation uses it; buffers that are taken cannot be used any more.
    @Override
    public void close() {
        gate.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            gate.wake(takers);
        } finally {
            gate.unlock();
        }
        region.close();
    }

    @Override
    public String toString() {
        return "pool of %d buffers of %d bytes".formatted(buffers, bytes);
    }
}
