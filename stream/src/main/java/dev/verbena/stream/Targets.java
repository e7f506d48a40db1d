package dev.verbena.stream;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.RemoteSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Where in the peer's ring the next bytes go: the peer writes the parts that it publishes into a
/// list of two entries in this side's memory.
///
/// An entry is address, key and length, 16 bytes. It is read once, then cleared. Whatever the peer
/// writes into the list, this side sends WRITEs to the peer's own memory only, which the peer's
/// device checks.
final class Targets {
    static final int ENTRY = 16;
    static final int COUNT = 2;
    static final int BYTES = COUNT * ENTRY;

    private static final int KEY = 8;
    private static final int LENGTH = 12;

    /// The order that this side announces, on any machine.
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ORDER);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ORDER);
    private static final VarHandle LENGTHS = INT.varHandle();

    private final MemorySegment memory;
    private final long base;
    private int next = 1;
    private long address;
    private int key;
    private long room;

    /// @param base of the list in the region
    Targets(MemoryRegion region, long base) {
        memory = region.segment();
        this.base = base;
    }

    /// The first part, of the peer's hello.
    void begin(RemoteSlice first) {
        address = first.address();
        key = first.key();
        room = first.length();
    }

    /// Bytes that may be written to [#address] on; looks into the list when a part is full.
    long room() {
        if (room == 0) {
            take();
        }
        return room;
    }

    private void take() {
        long entry = base + (long) next * ENTRY;
        // The length is the end of what the peer writes: with it, the rest is there.
        int length = (int) LENGTHS.getAcquire(memory, entry + LENGTH);
        if (length == 0) {
            return;
        }
        address = memory.get(LONG, entry);
        key = memory.get(INT, entry + KEY);
        room = Integer.toUnsignedLong(length);
        memory.set(INT, entry + LENGTH, 0);
        next = (next + 1) % COUNT;
    }

    long address() {
        return address;
    }

    int key() {
        return key;
    }

    void written(long bytes) {
        address += bytes;
        room -= bytes;
    }
}
