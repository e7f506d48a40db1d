package dev.verbena.fabric;

/// Chooses the lane that sends next.
interface Arbiter {
    /// The packets that wait at a port.
    interface Waiting {
        /// A bit for each lane with a waiting packet.
        int waiting();

        /// Length of the first packet of such a lane, in bytes of link time.
        int firstBytes(int lane);
    }

    /// Chooses one of the lanes that may send; there is at least one. The lane then sends.
    int choose(int lanes, Waiting port);
}
