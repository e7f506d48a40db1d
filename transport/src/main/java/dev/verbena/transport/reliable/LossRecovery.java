package dev.verbena.transport.reliable;

/// The reaction of a requester to lost packets.
///
/// Each method moves the requester to the position from which it continues, or fails its oldest
/// request.
interface LossRecovery {
    /// The peer expects this sequence number and saw a later one.
    void onSequenceNak(Requester requester, long nowNs, int psn);

    /// An answer came although the one before it is missing.
    void onImpliedNak(Requester requester, long nowNs);

    /// Nothing was acknowledged for as long as the queue pair waits.
    void onTimeout(Requester requester, long nowNs);
}
