package dev.verbena.transport;

import dev.verbena.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Memory that a peer writes to, and two plain models of it: as it will be when all that was posted
/// is done, and as it is at least, by what is known to be done.
final class Area {
    final MemorySegment memory;
    final MemoryRegion region;
    final byte[] posted;
    final byte[] confirmed;
    final MemorySegment postedView;

    /// READs of it through a window that have not come back.
    int reads;

    /// Where the next message goes.
    int next;

    /// Where the last one went.
    int last;

    /// Takes over what the memory holds.
    Area(MemorySegment memory, MemoryRegion region) {
        this.memory = memory;
        this.region = region;
        posted = memory.toArray(ValueLayout.JAVA_BYTE);
        confirmed = posted.clone();
        postedView = MemorySegment.ofArray(posted);
    }

    int length() {
        return posted.length;
    }

    long address(int at) {
        return region.address() + at;
    }

    void post(Message write, byte[] source) {
        if (write.phantom) {
            return;
        }
        write.copyTo(source, posted);
    }

    void confirm(Message write, byte[] source) {
        if (write.phantom) {
            return;
        }
        write.copyTo(source, confirmed);
    }

    /// Part of a message was placed: bytes from `done` on of one that starts at `start`.
    void place(Message write, int start, int done, int bytes, Host from) {
        if (write.phantom) {
            return;
        }
        int skip = done;
        int left = bytes;
        int to = start + done;
        for (int i = 0; i < write.pieces && left > 0; i++) {
            if (skip >= write.lengths[i]) {
                skip -= write.lengths[i];
                continue;
            }
            int part = Math.min(left, write.lengths[i] - skip);
            MemorySegment.copy(from.source, write.at[i] + skip, postedView, to, part);
            skip = 0;
            left -= part;
            to += part;
        }
    }

    /// Compares with what must be there when all is done.
    void checkAll(String what) {
        long at = memory.mismatch(postedView);
        if (at >= 0) {
            throw new AssertionError(
                    "%s: byte %d is 0x%02x, the model says 0x%02x"
                            .formatted(what, at, memoryAt((int) at), posted[(int) at]));
        }
    }

    /// Compares where not all is known to be done: a byte may also be that of an unresolved write.
    void checkWith(Iterable<Message> unresolved, byte[] source, String what) {
        long at = memory.mismatch(MemorySegment.ofArray(confirmed));
        if (at < 0) {
            return;
        }
        byte[] now = memory.toArray(ValueLayout.JAVA_BYTE);
        boolean[] explained = new boolean[now.length];
        for (Message write : unresolved) {
            if (write.target == this && write.kind.isWrite() && !write.phantom) {
                write.explain(source, now, explained);
            }
        }
        for (int i = (int) at; i < now.length; i++) {
            if (now[i] != confirmed[i] && !explained[i]) {
                throw new AssertionError(
                        "%s: byte %d is 0x%02x, confirmed 0x%02x, and nothing posted explains it"
                                .formatted(what, i, now[i], confirmed[i]));
            }
        }
    }

    private byte memoryAt(int at) {
        return memory.get(ValueLayout.JAVA_BYTE, at);
    }
}
