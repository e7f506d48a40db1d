package dev.verbena.fabric;

/// Which lane sends next.
interface Arbiter {
    /// Chooses one of the lanes that may send, of which there is one at least; it sends.
    ///
    /// @param queues what waits, of which the first of each lane would go
    int choose(int lanes, LaneQueues queues);
}
