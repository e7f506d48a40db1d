package dev.verbena.fabric;

import org.jspecify.annotations.Nullable;

/// Packets in the order in which they came, chained by themselves.
final class PacketQueue {
    private @Nullable Packet first;
    private @Nullable Packet last;

    @Nullable Packet first() {
        return first;
    }

    boolean isEmpty() {
        return first == null;
    }

    void add(Packet packet) {
        packet.next = null;
        Packet before = last;
        if (before == null) {
            first = packet;
        } else {
            before.next = packet;
        }
        last = packet;
    }

    @Nullable Packet poll() {
        Packet packet = first;
        if (packet != null) {
            first = packet.next;
            if (first == null) {
                last = null;
            }
            packet.next = null;
        }
        return packet;
    }
}
