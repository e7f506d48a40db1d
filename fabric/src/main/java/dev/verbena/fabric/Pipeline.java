package dev.verbena.fabric;

import org.jspecify.annotations.Nullable;

/// A delay that is the same for every packet, as the way through a switch.
final class Pipeline extends Event {
    /// Who takes what has passed.
    interface End {
        void passed(Packet packet, long nowPs);
    }

    private final Clock clock;
    private final long delayPs;
    private final End end;
    private final PacketQueue inside = new PacketQueue();

    Pipeline(Clock clock, int order, long delayPs, End end) {
        super(order);
        this.clock = clock;
        this.delayPs = delayPs;
        this.end = end;
    }

    void enter(Packet packet, long nowPs) {
        if (delayPs == 0) {
            end.passed(packet, nowPs);
            return;
        }
        packet.timePs = nowPs + delayPs;
        boolean isFirst = inside.isEmpty();
        inside.add(packet);
        if (isFirst) {
            clock.at(this, packet.timePs);
        }
    }

    @Override
    void happen(long nowPs) {
        Packet packet = inside.poll();
        if (packet == null) {
            throw new AssertionError("what passes a pipeline is in it");
        }
        @Nullable Packet following = inside.first();
        if (following != null) {
            clock.at(this, following.timePs);
        }
        end.passed(packet, nowPs);
    }
}
