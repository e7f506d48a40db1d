package dev.verbena.stream;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.SendBatch;
import java.nio.ByteBuffer;

/// Written bytes until the peer has acknowledged them. Positions count from the begin of the
/// stream.
final class SendRing {
    private final MemoryRegion region;
    private final ByteBuffer memory;
    private final int size;
    private long appended;
    private long posted;
    private long acknowledged;

    SendRing(MemoryRegion region, int size) {
        this.region = region;
        memory = region.segment().asByteBuffer();
        this.size = size;
    }

    int room() {
        return size - (int) (appended - acknowledged);
    }

    /// Bytes that were not posted yet.
    int pending() {
        return (int) (appended - posted);
    }

    /// Takes as many bytes as there is room for.
    int append(ByteBuffer from) {
        int count = Math.min(room(), from.remaining());
        int at = offset(appended);
        int first = Math.min(count, size - at);
        memory.put(at, from, from.position(), first);
        memory.put(0, from, from.position() + first, count - first);
        from.position(from.position() + count);
        appended += count;
        return count;
    }

    /// Adds the next bytes to a request, as one piece or two.
    void gather(SendBatch request, int count) {
        int at = offset(posted);
        int first = Math.min(count, size - at);
        request.local(region, at, first);
        if (first < count) {
            request.local(region, 0, count - first);
        }
    }

    void posted(int count) {
        posted += count;
    }

    void acknowledged(int count) {
        acknowledged += count;
    }

    private int offset(long position) {
        return (int) (position % size);
    }
}
