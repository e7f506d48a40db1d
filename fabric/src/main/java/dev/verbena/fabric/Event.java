package dev.verbena.fabric;

/// Something that happens: a packet arrives, a port has sent one, a timer is over.
abstract class Event {
    /// What comes first when two happen at one instant: the lower. No two events share one.
    final int order;

    Event(int order) {
        this.order = order;
    }

    abstract void happen(long nowPs);
}
