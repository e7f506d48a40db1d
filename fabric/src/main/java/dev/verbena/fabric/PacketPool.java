package dev.verbena.fabric;

import dev.verbena.transport.OutboundPacket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Packets by number, those under way and those that are not: as many as ever were at a time.
final class PacketPool {
    private static final int SLAB = 256;

    final PayloadPool payloads = new PayloadPool();
    private Packet[] all = new Packet[0];
    private int[] free = new int[0];
    private int freeCount;

    Packet take() {
        if (freeCount == 0) {
            grow();
        }
        // The one that was given back last is still in the cache.
        return all[free[--freeCount]];
    }

    private void grow() {
        int before = all.length;
        int more = Math.max(SLAB, before / 2);
        long bytes = OutboundPacket.MAX_HEADER_LENGTH;
        MemorySegment slab = Arena.ofAuto().allocate(more * bytes, bytes);
        all = Arrays.copyOf(all, before + more);
        free = Arrays.copyOf(free, before + more);
        for (int i = 0; i < more; i++) {
            all[before + i] = new Packet(before + i, slab, i * bytes);
            free[more - 1 - i] = before + i;
        }
        freeCount = more;
    }

    Packet at(int handle) {
        return all[handle];
    }

    void give(int handle) {
        Packet packet = all[handle];
        MemorySegment payload = packet.payload;
        if (payload != null) {
            payloads.give(payload);
            packet.payload = null;
        }
        free[freeCount++] = handle;
    }

    /// Packets that somebody holds.
    int out() {
        return all.length - freeCount;
    }

    int made() {
        return all.length;
    }
}
