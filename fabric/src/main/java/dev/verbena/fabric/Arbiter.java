package dev.verbena.fabric;

/// Which lane sends next.
interface Arbiter {
    /// What waits at a port.
    interface Waiting {
        /// A bit for each lane in which something waits.
        int waiting();

        /// Bytes of link time of the first packet of such a lane.
        int firstBytes(int lane);
    }

    /// Chooses one of the lanes that may send, of which there is one at least; it sends.
    int choose(int lanes, Waiting port);
}
