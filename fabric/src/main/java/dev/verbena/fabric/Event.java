package dev.verbena.fabric;

/// An event: a packet arrives, a port has sent one, a timer expires.
abstract class Event {
    /// Of two events at one instant, the one with the lower order runs first. Orders are unique.
    final int order;

    Event(int order) {
        this.order = order;
    }

    abstract void happen(long nowPs);
}
