package dev.verbena.transport.work;

import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.memory.MemoryTable;
import dev.verbena.transport.memory.TransportRegion;
import dev.verbena.wire.PacketView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Moves bytes between packets and memory, wherever in a message they belong; knows nothing of
/// order or delivery.
///
/// Everything is checked before it comes here. The one thing that can still go wrong is that the
/// program closed the scope of memory that it had registered; methods answer `false` then, and
/// nothing was moved beyond that piece.
public final class Placement {
    /// In place of a region: bytes that were copied when they were posted.
    static final int INLINE = -1;

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final WorkSlab work;
    private final InlineStore inline;
    private final MemoryTable memory;

    Placement(WorkSlab work, InlineStore inline, MemoryTable memory) {
        this.work = work;
        this.inline = inline;
        this.memory = memory;
    }

    /// Refers an outgoing packet to bytes of a work request.
    public boolean gather(OutboundPacket packet, int slot, long offset, int length) {
        long skip = offset;
        int left = length;
        for (int i = 0; left > 0; i++) {
            long piece = work.pieceLength(slot, i);
            if (skip >= piece) {
                skip -= piece;
                continue;
            }
            int part = (int) Math.min(left, piece - skip);
            int region = work.pieceRegion(slot, i);
            long at = work.pieceOffset(slot, i) + skip;
            if (region == INLINE) {
                packet.piece(inline.segment(at), inline.within(at), part);
            } else if (!refer(packet, memory.region(region), at, part)) {
                return false;
            }
            skip = 0;
            left -= part;
        }
        return true;
    }

    /// Refers the answer to a READ to bytes of a region, which the program may change meanwhile.
    public boolean read(OutboundPacket packet, TransportRegion region, long offset, int length) {
        if (!region.isPhantom()) {
            packet.readOnce();
        }
        return refer(packet, region, offset, length);
    }

    private static boolean refer(
            OutboundPacket packet, TransportRegion region, long offset, int length) {
        MemorySegment bytes = region.bytes();
        if (bytes == null) {
            packet.phantom(length);
            return true;
        }
        if (!region.isKept) {
            if (!bytes.scope().isAlive()) {
                return false;
            }
            packet.readOnce();
        }
        packet.piece(bytes, offset, length);
        return true;
    }

    /// Puts the payload of a packet into the memory of a work request.
    public boolean scatter(int slot, long offset, PacketView view) {
        return view.isPhantom()
                || scatter(
                        slot,
                        offset,
                        view.payloadSegment(),
                        view.payloadAt(),
                        view.payloadLength());
    }

    /// Puts bytes into the memory of a work request.
    public boolean scatter(int slot, long offset, MemorySegment source, long at, int length) {
        long skip = offset;
        long from = at;
        int left = length;
        try {
            for (int i = 0; left > 0; i++) {
                long piece = work.pieceLength(slot, i);
                if (skip >= piece) {
                    skip -= piece;
                    continue;
                }
                int part = (int) Math.min(left, piece - skip);
                MemorySegment to = memory.region(work.pieceRegion(slot, i)).bytes();
                if (to != null) {
                    MemorySegment.copy(source, from, to, work.pieceOffset(slot, i) + skip, part);
                }
                from += part;
                skip = 0;
                left -= part;
            }
            return true;
        } catch (IllegalStateException closedScope) {
            return false;
        }
    }

    /// Puts the payload of a packet into a region.
    ///
    /// When the message ends with eight aligned bytes, those are stored last and at once, with
    /// release: a program that polls them sees all the others.
    public boolean write(TransportRegion region, long offset, PacketView view, boolean last) {
        MemorySegment to = region.bytes();
        if (to == null || view.isPhantom()) {
            return true;
        }
        MemorySegment from = view.payloadSegment();
        long at = view.payloadAt();
        int length = view.payloadLength();
        try {
            if (last && length >= Long.BYTES && ((region.base + offset + length) & 7) == 0) {
                int before = length - Long.BYTES;
                if (before > 0) {
                    MemorySegment.copy(from, at, to, offset, before);
                }
                long tail = from.get(ValueLayout.JAVA_LONG_UNALIGNED, at + before);
                LONG.setRelease(to, offset + before, tail);
            } else {
                MemorySegment.copy(from, at, to, offset, length);
                VarHandle.releaseFence();
            }
            return true;
        } catch (IllegalStateException closedScope) {
            return false;
        }
    }

    /// Puts the result of an atomic into the eight bytes of a work request, in host order.
    public boolean store(int slot, long value) {
        MemorySegment to = memory.region(work.pieceRegion(slot, 0)).bytes();
        if (to == null) {
            return true;
        }
        try {
            to.set(ValueLayout.JAVA_LONG_UNALIGNED, work.pieceOffset(slot, 0), value);
            return true;
        } catch (IllegalStateException closedScope) {
            return false;
        }
    }

    /// Adds to eight aligned bytes, atomically with respect to local code too, and returns the
    /// previous value.
    ///
    /// @throws IllegalStateException when the scope was closed
    public static long fetchAndAdd(MemorySegment bytes, long offset, long addend) {
        return (long) LONG.getAndAdd(bytes, offset, addend);
    }

    /// Replaces eight aligned bytes when they have the expected value, atomically with respect to
    /// local code too, and returns the previous value.
    ///
    /// @throws IllegalStateException when the scope was closed
    public static long compareAndSwap(
            MemorySegment bytes, long offset, long expected, long replacement) {
        return (long) LONG.compareAndExchange(bytes, offset, expected, replacement);
    }
}
