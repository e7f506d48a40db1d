package dev.verbena.fabric;

/// A delay that is the same for every packet, as the way through a switch.
final class Pipeline extends Event {
    /// Who takes what has passed.
    interface End {
        void passed(int handle, long tag, long nowPs);
    }

    private final Clock clock;
    private final long delayPs;
    private final End end;
    private final TimedRing inside = new TimedRing();

    Pipeline(Clock clock, int order, long delayPs, End end) {
        super(order);
        this.clock = clock;
        this.delayPs = delayPs;
        this.end = end;
    }

    void enter(int handle, long tag, long nowPs) {
        if (delayPs == 0) {
            end.passed(handle, tag, nowPs);
            return;
        }
        if (inside.isEmpty()) {
            clock.at(this, nowPs + delayPs);
        }
        inside.add(handle, tag, nowPs + delayPs);
    }

    @Override
    void happen(long nowPs) {
        int handle = inside.handle();
        long tag = inside.tag();
        inside.drop();
        if (!inside.isEmpty()) {
            clock.at(this, inside.timePs());
        }
        end.passed(handle, tag, nowPs);
    }
}
