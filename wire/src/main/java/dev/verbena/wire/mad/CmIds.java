package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import java.lang.foreign.MemorySegment;

/// The two communication IDs that most connection-management messages begin with (IBA 12.7.1).
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 32 | local communication ID: the sender's |
/// | 4 | 32 | remote communication ID: the receiver's, echoed |
///
/// REQ has only the first of them, and SIDR's messages a request ID in its place.
public final class CmIds {
    private static final int LOCAL = Mad.LENGTH;
    private static final int REMOTE = Mad.LENGTH + 4;

    private CmIds() {}

    public static int local(MemorySegment segment, long at) {
        return BigEndian.i32(segment, at + LOCAL);
    }

    public static int remote(MemorySegment segment, long at) {
        return BigEndian.i32(segment, at + REMOTE);
    }

    static void emit(MemorySegment segment, long at, int local, int remote) {
        BigEndian.put32(segment, at + LOCAL, local);
        BigEndian.put32(segment, at + REMOTE, remote);
    }
}
