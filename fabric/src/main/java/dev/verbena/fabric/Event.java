package dev.verbena.fabric;

/// Something that will happen, at most once at a time: a packet arrives, a port has sent one, a
/// timer is over.
abstract class Event {
    /// In no queue.
    static final int NOWHERE = -1;

    /// What comes first when two happen at one instant: the lower. No two events share one.
    final int order;

    /// Where in the queue it is.
    int place = NOWHERE;

    Event(int order) {
        this.order = order;
    }

    final boolean isPending() {
        return place != NOWHERE;
    }

    abstract void happen(long nowPs);
}
