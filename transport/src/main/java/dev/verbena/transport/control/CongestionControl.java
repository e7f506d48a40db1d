package dev.verbena.transport.control;

/// The congestion control of one reliable queue pair.
///
/// It receives events, and answers two questions before each packet: when may it leave, and how
/// many bytes may be unacknowledged. All calls come from the thread that drives the device, none
/// inside another; times never go back, and are those of the device, simulated or not.
///
/// Calls are made for every packet: they should not allocate.
public interface CongestionControl {
    /// A packet of so many bytes leaves, for the first time or again.
    void sent(long nowNs, int bytes);

    /// The peer has so many bytes more.
    ///
    /// @param roundTripNs time from the last packet among them that asked for an acknowledgement,
    ///   or 0 where it was not measured: a packet was repeated meanwhile, or none asked
    /// @param isMarked whether the peer says that a packet arrived with a mark of a switch since
    ///   its acknowledgement before this one
    void acknowledged(long nowNs, int bytes, long roundTripNs, boolean isMarked);

    /// The peer has sent a congestion notification packet (CNP).
    default void notified(long nowNs) {}

    /// Packets are taken for lost, and all since will be sent again.
    default void lost(long nowNs) {}

    /// When [#timer] is to be called next; [Long#MAX_VALUE] for never.
    default long timerNs() {
        return Long.MAX_VALUE;
    }

    /// The time of [#timerNs] has come. A queue pair that does nothing is not woken for it: the
    /// call is made up for before the next event or question, with the time at which it was due.
    default void timer(long nowNs) {}

    /// Before this the next packet may not leave; [Long#MIN_VALUE] for at once.
    default long earliestNs() {
        return Long.MIN_VALUE;
    }

    /// How often it has reduced its rate or window because of congestion, for results.
    default long cuts() {
        return 0;
    }

    /// Bytes that may be unacknowledged. One packet may always be.
    default long windowBytes() {
        return Long.MAX_VALUE;
    }
}
