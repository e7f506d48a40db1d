package dev.verbena.easy;

import dev.verbena.verbs.InvalidRequestException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.net.SocketTimeoutException;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/// A value in exported memory that its owner writes and any peer reads, without seeing it half
/// written.
///
/// ```text
/// byte 0   version, counts writes, 0 before the first
/// byte 8   check: 64 bits over version and value
/// byte 16  the value
/// ```
///
/// A READ of more than one packet is not atomic, a packet that was lost is read again later, and
/// neither a NIC nor software promises the order in which it reads the bytes of one packet. So the
/// reader relies on no order: it takes a value only when its check fits, and else reads again. A
/// mixture of two values passes with a probability of 2^-64, if no peer forges it: this is a check
/// against chance, not against an attacker.
///
/// It relies on this: only the owner writes, through one [Writer]; and aligned words of eight bytes
/// that the owner's thread has stored are seen by READs some time later.
///
/// Threads may share a cell.
public final class VersionedCell {
    static final int HEADER = 16;

    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final RemoteMemory memory;

    private final long offset;
    private final int valueBytes;

    /// A cell of a peer.
    ///
    /// @param offset a multiple of 8
    public VersionedCell(RemoteMemory memory, long offset, int valueBytes) {
        require(memory.toString(), memory.length(), offset, valueBytes);
        this.memory = memory;
        this.offset = offset;
        this.valueBytes = valueBytes;
    }

    /// The bytes that a cell takes, a multiple of 8.
    public static long bytes(int valueBytes) {
        return HEADER + (valueBytes + 7L) / 8 * 8;
    }

    /// The cell in memory of this node, for its owner. There must be one writer of a cell.
    public static Writer writer(ExportedMemory memory, long offset, int valueBytes) {
        require(memory.toString(), memory.segment().byteSize(), offset, valueBytes);
        return new Writer(memory.segment().asSlice(offset, bytes(valueBytes)), valueBytes);
    }

    private static void require(String memory, long length, long offset, int valueBytes) {
        if (valueBytes < 1 || offset < 0 || offset % 8 != 0) {
            throw new InvalidRequestException(
                    "cell in " + memory,
                    "%d bytes at offset %d".formatted(valueBytes, offset),
                    "use at least 1 byte, at a multiple of 8");
        }
        if (offset > length - bytes(valueBytes)) {
            throw new InvalidRequestException(
                    "cell in " + memory,
                    "%d bytes at offset %d, of %d".formatted(bytes(valueBytes), offset, length),
                    "export more; VersionedCell.bytes says how much a cell takes");
        }
    }

    /// Reads the value and returns its version; 0, with no value, before the first write. Reads
    /// again while the owner writes.
    ///
    /// @throws SocketTimeoutException when every READ met a write for so long
    public long read(MemorySegment into, Duration limit) throws IOException {
        if (into.byteSize() < valueBytes) {
            throw new InvalidRequestException(
                    "cell in " + memory,
                    "memory for %d bytes, and the value has %d"
                            .formatted(into.byteSize(), valueBytes),
                    "bring memory for all of it");
        }
        Waits waits = memory.waits();
        long deadlineNs = waits.after(limit);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(bytes(valueBytes), 8);
            do {
                memory.read(offset, copy);
                long version = version(copy);
                if (version >= 0) {
                    MemorySegment.copy(copy, HEADER, into, 0, version == 0 ? 0 : valueBytes);
                    return version;
                }
            } while (waits.nowNs() < deadlineNs);
        }
        throw new SocketTimeoutException(
                "cell in %s: its owner wrote during every READ for %d ms"
                        .formatted(memory, limit.toMillis()));
    }

    /// The version of the copy of a cell; -1 when it is a mixture.
    static long version(MemorySegment cell) {
        long version = cell.get(LONG, 0);
        long check = cell.get(LONG, 8);
        if (version == 0 && check == 0) {
            return 0;
        }
        return version > 0 && check == check(cell, version) ? version : -1;
    }

    /// Every step is a bijection of the sum so far, so that no two values of one word meet.
    private static long check(MemorySegment cell, long version) {
        long sum = version * 0x9E37_79B9_7F4A_7C15L;
        long length = cell.byteSize();
        for (long at = HEADER; at < length; at += 8) {
            sum = (sum ^ cell.get(LONG, at)) * 0xD6E8_FEB8_6659_FD93L;
            sum ^= sum >>> 32;
        }
        return sum == 0 ? 1 : sum;
    }

    /// Writes a cell of this node. Threads may share it.
    public static final class Writer {
        private final MemorySegment cell;
        private final int valueBytes;
        private final ReentrantLock lock = new ReentrantLock();

        private Writer(MemorySegment cell, int valueBytes) {
            this.cell = cell;
            this.valueBytes = valueBytes;
        }

        /// Replaces the value, of exactly the cell's length; returns its version.
        public long write(MemorySegment value) {
            if (value.byteSize() != valueBytes) {
                throw new InvalidRequestException(
                        "cell",
                        "a value of %d bytes, and it has %d"
                                .formatted(value.byteSize(), valueBytes),
                        "write all of it");
            }
            lock.lock();
            try {
                long version = cell.get(LONG, 0) + 1;
                MemorySegment.copy(value, 0, cell, HEADER, valueBytes);
                cell.set(LONG, 0, version);
                cell.set(LONG, 8, check(cell, version));
                VarHandle.releaseFence();
                return version;
            } finally {
                lock.unlock();
            }
        }

        /// The current version.
        public long version() {
            lock.lock();
            try {
                return cell.get(LONG, 0);
            } finally {
                lock.unlock();
            }
        }
    }
}
