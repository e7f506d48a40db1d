package dev.verbena.benchmarks;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The kinds of memory that packets lie in.
public enum Memory {
    /// Native memory that is never freed: what the data path registers at set-up.
    NATIVE,
    /// Native memory that the collector frees.
    AUTO,
    /// Native memory that any thread may close, so that every access looks whether one has.
    SHARED,
    /// A byte array, as tools and tests use.
    HEAP;

    private static final int CACHE_LINE = 64;

    /// Zeroed bytes; native ones start on a cache line, as registered memory does.
    MemorySegment allocate(long bytes) {
        return switch (this) {
            case NATIVE -> Arena.global().allocate(bytes, CACHE_LINE);
            case AUTO -> Arena.ofAuto().allocate(bytes, CACHE_LINE);
            case SHARED -> Arena.ofShared().allocate(bytes, CACHE_LINE);
            case HEAP -> MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
        };
    }

    /// A copy in this kind of memory.
    MemorySegment copyOf(MemorySegment bytes) {
        return allocate(bytes.byteSize()).copyFrom(bytes);
    }
}
