package dev.verbena.easy;

import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.WrongStateException;
import java.lang.foreign.MemorySegment;

/// A buffer of a [BufferPool], until it is released. A second release is refused, also when another
/// thread has the same memory by then.
///
/// A buffer that is released while an operation uses it comes back when the operation is over.
public final class PooledBuffer implements AutoCloseable {
    private final BufferPool pool;
    private final int slot;
    private final long at;
    private final int bytes;
    private int pins;
    private boolean isReleased;

    PooledBuffer(BufferPool pool, int slot, long at, int bytes) {
        this.pool = pool;
        this.slot = slot;
        this.at = at;
        this.bytes = bytes;
    }

    /// Its memory. Do not keep it beyond the release.
    ///
    /// @throws WrongStateException when the buffer was released
    public MemorySegment segment() {
        requireHeld();
        return pool.region().segment().asSlice(at, bytes);
    }

    /// Gives the buffer back.
    ///
    /// @throws WrongStateException when it was released before
    public void release() {
        synchronized (this) {
            requireHeld();
            isReleased = true;
            if (pins > 0) {
                return;
            }
        }
        pool.back(slot);
    }

    /// The same as [#release], for try.
    @Override
    public void close() {
        release();
    }

    BufferPool pool() {
        return pool;
    }

    MemoryRegion region() {
        return pool.region();
    }

    long at() {
        return at;
    }

    /// An operation begins to use it.
    synchronized void pin() {
        requireHeld();
        pins++;
    }

    /// The operation is over.
    void unpin() {
        synchronized (this) {
            pins--;
            if (pins > 0 || !isReleased) {
                return;
            }
        }
        pool.back(slot);
    }

    void require(long from, long length) {
        requireHeld();
        if (from < 0 || length < 0 || from > bytes - length) {
            throw new InvalidRequestException(
                    toString(),
                    "there are no %d bytes from byte %d on".formatted(length, from),
                    "it has " + bytes);
        }
    }

    private synchronized void requireHeld() {
        if (isReleased) {
            throw new WrongStateException(
                    toString(),
                    "it was released already",
                    "release each buffer once, and do not use it afterwards");
        }
    }

    @Override
    public String toString() {
        return "buffer %d of the %s".formatted(slot, pool);
    }
}
