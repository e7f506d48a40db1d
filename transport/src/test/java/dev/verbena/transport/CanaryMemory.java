package dev.verbena.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/// The memory of a device under attack: one stretch that all its regions are cut from, with guard
/// zones between them, and a copy that says what every byte must be.
///
/// One comparison of the two shows any byte that changed and may not have.
final class CanaryMemory implements AutoCloseable {
    private static final int GUARD = 192;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment bytes;
    private final MemorySegment expected;
    private long next = GUARD;

    CanaryMemory(int size, SplittableRandom random) {
        bytes = arena.allocate(size, 4096);
        expected = arena.allocate(size, 4096);
        byte[] pattern = new byte[size];
        random.nextBytes(pattern);
        MemorySegment.copy(pattern, 0, bytes, ValueLayout.JAVA_BYTE, 0, size);
        MemorySegment.copy(pattern, 0, expected, ValueLayout.JAVA_BYTE, 0, size);
    }

    /// The next piece of the stretch, `skew` bytes behind a multiple of eight.
    MemorySegment cut(long length, int skew) {
        long at = ((next + 7) & -8) + skew;
        next = at + length + GUARD;
        return bytes.asSlice(at, length);
    }

    /// A piece of the memory may hold these bytes from now on.
    void allow(long address, MemorySegment from, long at, long length) {
        MemorySegment.copy(from, at, expected, address - bytes.address(), length);
    }

    /// Eight aligned bytes may hold this value from now on.
    void allow(long address, long value) {
        expected.set(ValueLayout.JAVA_LONG, address - bytes.address(), value);
    }

    /// A piece of the memory may hold what it holds now: a header that the device wrote itself.
    void accept(long address, long length) {
        long at = address - bytes.address();
        MemorySegment.copy(bytes, at, expected, at, length);
    }

    /// All of it, as it is.
    MemorySegment bytes() {
        return bytes;
    }

    /// What eight aligned bytes must be.
    long word(long address) {
        return expected.get(ValueLayout.JAVA_LONG, address - bytes.address());
    }

    /// Fails when any byte is not what it must be.
    void verify() {
        long at = bytes.mismatch(expected);
        if (at >= 0) {
            throw new AssertionError(
                    "byte %d of the canary memory, address 0x%x, changed from 0x%02x to 0x%02x"
                            .formatted(
                                    at,
                                    bytes.address() + at,
                                    expected.get(ValueLayout.JAVA_BYTE, at) & 0xFF,
                                    bytes.get(ValueLayout.JAVA_BYTE, at) & 0xFF));
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
