package dev.verbena.transport.reliable;

import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.wire.PacketView;

/// What one queue pair does about lost packets: it owns the ledger of what was sent and the
/// retries, gets told what happens, and decides what is sent again.
abstract class LossRecovery extends SentLedger {
    /// Whether packets wait to be sent again apart from the order, by [#repeat].
    boolean hasLost;

    /// Sequence numbers that may be unacknowledged at most.
    int reach() {
        return Integer.MAX_VALUE;
    }

    /// Whether it repeats only what is lost.
    abstract boolean isSelective();

    /// Sends one packet again apart from the order: one that is lost, or one to learn what is.
    /// Returns its bytes, or why there is none.
    abstract int repeat(long nowNs, int budgetBytes, TransmitSink sink);

    /// A response was handled: looks whether it shows something to be lost.
    void judge(long nowNs) {}

    /// A response says which packets came before their turn.
    abstract void selected(long nowNs, PacketView view);

    /// The peer has no receive for the oldest packet, which is sent again after a while.
    abstract void notReady();

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
