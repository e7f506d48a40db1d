package dev.verbena.fabric;

import dev.verbena.transport.OutboundPacket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Packets by number, those under way and those that are not: as many as ever were at a time.
///
/// What is needed on the way stands in one array, the words of a packet side by side, so that a
/// switch finds all of it in one cache line.
final class PacketPool {
    /// In place of a packet's number.
    static final int NONE = -1;

    private static final int SLAB = 256;

    /// Words of a packet: its tag, a time, and the number of the packet behind it.
    private static final int SHIFT = 2;

    private static final int TIME = 1;
    private static final int FOLLOWING = 2;

    final PayloadPool payloads = new PayloadPool();
    private long[] words = new long[0];
    private Packet[] all = new Packet[0];
    private int[] free = new int[0];
    private int freeCount;

    int take() {
        if (freeCount == 0) {
            grow();
        }
        // The one that was given back last is still in the cache.
        return free[--freeCount];
    }

    private void grow() {
        int before = all.length;
        int more = Math.max(SLAB, before / 2);
        long bytes = OutboundPacket.MAX_HEADER_LENGTH;
        MemorySegment slab = Arena.ofAuto().allocate(more * bytes, bytes);
        words = Arrays.copyOf(words, (before + more) << SHIFT);
        all = Arrays.copyOf(all, before + more);
        free = Arrays.copyOf(free, before + more);
        for (int i = 0; i < more; i++) {
            all[before + i] = new Packet(slab, i * bytes);
            free[more - 1 - i] = before + i;
        }
        freeCount = more;
    }

    /// What hosts know of a packet.
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

    /// Gives a frame back, which never had anything of a host's.
    void giveFrame(int handle) {
        free[freeCount++] = handle;
    }

    long tag(int handle) {
        return words[handle << SHIFT];
    }

    long timePs(int handle) {
        return words[(handle << SHIFT) + TIME];
    }

    int following(int handle) {
        return (int) words[(handle << SHIFT) + FOLLOWING];
    }

    /// Says all of a packet that stands at the end of a row.
    void set(int handle, long tag, long timePs) {
        int at = handle << SHIFT;
        words[at] = tag;
        words[at + TIME] = timePs;
        words[at + FOLLOWING] = NONE;
    }

    /// Puts one behind another.
    void follow(int handle, int follower) {
        words[(handle << SHIFT) + FOLLOWING] = follower;
    }

    /// Packets that somebody holds.
    int out() {
        return all.length - freeCount;
    }

    int made() {
        return all.length;
    }
}
