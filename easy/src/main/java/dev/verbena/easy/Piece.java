package dev.verbena.easy;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One work request of a [Transfer].
///
/// @param local memory of the caller, for READ and WRITE without registered memory
/// @param registered the same, registered
/// @param offset of the bytes in either
record Piece(
        Kind kind,
        long address,
        int key,
        @Nullable MemorySegment local,
        @Nullable PooledBuffer registered,
        long offset,
        long bytes,
        long expected,
        long operand) {
    /// What it does.
    enum Kind {
        READ,
        WRITE,
        COMPARE_AND_SWAP,
        FETCH_AND_ADD
    }

    MemorySegment localOrThrow() {
        return Objects.requireNonNull(local, "a piece has memory of the caller or of a pool");
    }

    boolean isAtomic() {
        return kind == Kind.COMPARE_AND_SWAP || kind == Kind.FETCH_AND_ADD;
    }
}
