package dev.verbena.transport;

import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.QueuePairType;

/// The half of a queue pair that carries out its send queue; each service has its own.
interface SendSide {
    static SendSide of(TransportQueuePair pair, Engine engine) {
        return pair.type() == QueuePairType.RC
                ? new Requester(pair, engine, pair.sendQueue)
                : new UnreliableSender(pair, engine, pair.sendQueue);
    }

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
    void drain(boolean isFirstTime);

    /// Handles the timer: the peer may have a receive request by now.
    void receiverMayBeReady();

    /// Handles the timer: no acknowledgement arrived in time.
    void timedOut(long nowNs);

    /// The oldest request failed.
    void failOldest(CompletionStatus status);

    /// Gives up all requests; each completes as flushed when `report` is set.
    void flush(boolean report);
}
