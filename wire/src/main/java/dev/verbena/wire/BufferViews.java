package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/// Byte buffers over the segments used last, since the JDK's checksums take nothing else that is
/// off the heap.
///
/// Making a buffer is free only where the compiler sees that it does not escape, and a constructor
/// twelve calls deep hides that from it as soon as the caller is a few calls deep itself. Headers,
/// payload and pad may lie apart, so a few buffers are kept, and with them their memory, until
/// others take their place.
final class BufferViews {
    private static final int COUNT = 4;

    /// The JDK makes no larger buffer of a segment.
    private static final int BUFFER_MAX = Integer.MAX_VALUE - 8;

    /// The one used last, in a ring of all.
    private View recent;

    /// The one replaced last.
    private View oldest;

    /// None yet.
    BufferViews() {
        View first = new View();
        recent = first;
        for (int i = 1; i < COUNT; i++) {
            View view = new View();
            view.next = recent;
            recent = view;
        }
        first.next = recent;
        oldest = first;
    }

    /// The bytes as a buffer, from its position to its limit, until the next call.
    ByteBuffer of(MemorySegment segment, long at, long length) {
        Objects.checkFromIndexSize(at, length, segment.byteSize());
        if (!recent.isOf(segment) && !found(segment)) {
            if (segment.byteSize() > BUFFER_MAX) {
                return segment.asSlice(at, length).asByteBuffer();
            }
            // In this order: memory that makes no buffer must not be found here later.
            recent.buffer = segment.asByteBuffer();
            recent.segment = segment;
        }
        return recent.buffer.limit((int) (at + length)).position((int) at);
    }

    /// Goes on to the segment's view, or to the one whose turn it is to be replaced. The turn does
    /// not depend on the use: behind the view used last there would always be the same one, and two
    /// segments used in turn with a third would replace each other for ever.
    private boolean found(MemorySegment segment) {
        for (int i = 0; i < COUNT; i++) {
            recent = recent.next;
            if (recent.isOf(segment)) {
                return true;
            }
        }
        oldest = oldest.next == recent ? recent.next : oldest.next;
        recent = oldest;
        return false;
    }

    private static final class View {
        View next = this;
        MemorySegment segment = MemorySegment.NULL;
        ByteBuffer buffer = ByteBuffer.allocate(0);

        /// Whether it is this very segment: equal ones may be of another arena that got the same
        /// address after the first was closed.
        @SuppressWarnings({"MemorySegmentReferenceEquality", "ReferenceEquality"})
        boolean isOf(MemorySegment other) {
            return segment == other;
        }
    }
}
