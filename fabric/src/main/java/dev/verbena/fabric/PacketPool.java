package dev.verbena.fabric;

import dev.verbena.transport.OutboundPacket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Packets that are not under way: as many as ever were at a time.
final class PacketPool {
    private static final int SLAB = 256;

    final PayloadPool payloads = new PayloadPool();
    private @Nullable Packet free;
    private long made;
    private long out;

    Packet take() {
        if (free == null) {
            grow();
        }
        Packet packet = free;
        if (packet == null) {
            throw new AssertionError("a pool that has grown has packets");
        }
        free = packet.next;
        packet.next = null;
        out++;
        return packet;
    }

    private void grow() {
        long bytes = OutboundPacket.MAX_HEADER_LENGTH;
        MemorySegment slab = Arena.ofAuto().allocate(SLAB * bytes, bytes);
        for (int i = SLAB - 1; i >= 0; i--) {
            Packet packet = new Packet(slab, i * bytes);
            packet.next = free;
            free = packet;
        }
        made += SLAB;
    }

    void give(Packet packet) {
        MemorySegment payload = packet.payload;
        if (payload != null) {
            payloads.give(payload);
            packet.payload = null;
        }
        packet.route = null;
        packet.next = free;
        free = packet;
        out--;
    }

    /// Packets that somebody holds.
    long out() {
        return out;
    }

    long made() {
        return made;
    }
}
