package dev.verbena.transport.pair;

import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.verbs.CompletionStatus;

/// The half of a queue pair that carries out its send queue; each service has its own.
public interface SendSide {
    /// Starts anew, with an empty queue.
    void reset();

    /// The sequence number of the first packet.
    void startAt(int psn);

    /// Takes requests into account that were appended to the queue.
    void posted(int first);

    /// Whether it is worth asking for a packet.
    boolean hasWork();

    /// Sends one packet; returns its bytes, or why there is none.
    int transmit(long nowNs, int budgetBytes, TransmitSink sink);

    /// The program requested to drain the send queue, or requested it again while it drains.
    void drain();

    /// Whether something was sent that is not yet acknowledged.
    default boolean isInFlight() {
        return false;
    }

    /// The end of what the peer has acknowledged, for a service that acknowledges.
    default int unackedPsn() {
        throw new AssertionError("nothing is acknowledged");
    }

    /// Takes a response of the peer; unreliable services have none, and none is admitted for them.
    default void handleResponse(long nowNs, InboundPacket packet) {
        throw new AssertionError("nothing is answered");
    }

    /// Handles the timer: the peer may have a receive request by now.
    void receiverMayBeReady();

    /// Handles the timer: no acknowledgement arrived in time.
    void timedOut(long nowNs);

    /// The oldest request failed.
    void failOldest(CompletionStatus status);

    /// Gives up all requests; each completes as flushed when `report` is set.
    void flush(boolean report);
}
