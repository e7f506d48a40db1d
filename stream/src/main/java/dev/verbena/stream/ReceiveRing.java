package dev.verbena.stream;

import dev.verbena.verbs.MemoryRegion;
import java.nio.ByteBuffer;

/// The ring that the peer writes into, published to it in halves. Positions count from the begin of
/// the stream.
///
/// A half is published again only when all its bytes were read, so the peer never writes to bytes
/// that wait to be read; one that does so all the same damages its own stream only.
final class ReceiveRing {
    private final ByteBuffer memory;
    private final int size;
    private long published;
    private long arrived;
    private long read;

    ReceiveRing(MemoryRegion region, int size) {
        memory = region.segment().asByteBuffer();
        this.size = size;
    }

    /// Whether the next half may be published.
    boolean hasFreeHalf() {
        return published - read <= half();
    }

    int half() {
        return size / 2;
    }

    /// The offset of the half that is published next.
    int nextHalf() {
        return offset(published);
    }

    void published() {
        published += half();
    }

    /// The peer says that it has written so many more bytes; returns false when it had no room for
    /// them.
    boolean arrive(int count) {
        if (count == 0 || count > published - arrived) {
            return false;
        }
        arrived += count;
        return true;
    }

    /// Bytes that can be read.
    int available() {
        return (int) (arrived - read);
    }

    /// Moves as many bytes as there are and fit.
    int read(ByteBuffer to) {
        int count = Math.min(available(), to.remaining());
        int at = offset(read);
        int first = Math.min(count, size - at);
        to.put(to.position(), memory, at, first);
        to.put(to.position() + first, memory, 0, count - first);
        to.position(to.position() + count);
        read += count;
        return count;
    }

    private int offset(long position) {
        return (int) (position % size);
    }
}
