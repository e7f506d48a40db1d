package dev.verbena.transport.reliable;

/// What one queue pair does about lost packets: it owns the ledger of what was sent and the
/// retries, gets told what happens, and decides what is sent again.
abstract class LossRecovery extends SentLedger {
    /// The number of the packet to send next: one that was sent before, or the first that was not.
    abstract int nextPsn();

    /// The peer expects this sequence number and saw a later one.
    abstract void sequenceNak(long nowNs, int psn);

    /// An answer came although the one before it is missing.
    abstract void impliedNak(long nowNs);

    /// Nothing was acknowledged for as long as the queue pair waits.
    abstract void timedOut(long nowNs);

    /// The last packet is on its way once more, to learn what is missing.
    abstract void probed();

    /// The peer lives, for it has answered that it is not ready: earlier losses do not count
    /// against it.
    abstract void peerIsAlive();

    /// Whether packets are being sent again, and answers may still be for the first transmission.
    abstract boolean isRecovering();

    /// Whether packets were sent again, and nothing was acknowledged since.
    abstract boolean isRepeating();

    /// The number of retries was set again.
    abstract void refill();
}
