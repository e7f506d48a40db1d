package dev.verbena.fabric;

import org.jspecify.annotations.Nullable;

/// Packets that wait at a port, by priority or virtual lane.
final class LaneQueues {
    private final @Nullable Packet[] first;
    private final @Nullable Packet[] last;
    private final int[] bytes;
    private int waiting;

    LaneQueues(int lanes) {
        first = new Packet[lanes];
        last = new Packet[lanes];
        bytes = new int[lanes];
    }

    /// A bit for each lane in which something waits.
    int waiting() {
        return waiting;
    }

    int bytes(int lane) {
        return bytes[lane];
    }

    /// The first of a lane in which something waits.
    Packet first(int lane) {
        Packet packet = first[lane];
        if (packet == null) {
            throw new AssertionError("nothing waits in lane " + lane);
        }
        return packet;
    }

    void add(Packet packet) {
        int lane = packet.lane;
        packet.next = null;
        Packet before = last[lane];
        if (before == null) {
            first[lane] = packet;
            waiting |= 1 << lane;
        } else {
            before.next = packet;
        }
        last[lane] = packet;
        bytes[lane] += packet.bufferBytes;
    }

    Packet poll(int lane) {
        Packet packet = first(lane);
        first[lane] = packet.next;
        if (packet.next == null) {
            last[lane] = null;
            waiting &= ~(1 << lane);
        }
        packet.next = null;
        bytes[lane] -= packet.bufferBytes;
        return packet;
    }
}
