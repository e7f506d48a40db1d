package dev.verbena.transport.carrier;

/// A packet under way in virtual time; a carrier extends it by what it carries. Packets that arrive
/// at the same time do so in the order of their receivers, and at one receiver as they were added.
public abstract class InFlight {
    long timeNs;
    long order;

    /// A packet that is not under way yet.
    protected InFlight() {}

    /// The number of the receiver.
    protected abstract int receiver();

    static int byArrival(InFlight one, InFlight other) {
        if (one.timeNs != other.timeNs) {
            return Long.compare(one.timeNs, other.timeNs);
        }
        int receivers = Integer.compare(one.receiver(), other.receiver());
        return receivers != 0 ? receivers : Long.compare(one.order, other.order);
    }
}
