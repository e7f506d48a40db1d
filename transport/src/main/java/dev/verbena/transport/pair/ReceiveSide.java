package dev.verbena.transport.pair;

import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.schedule.Transmitter;

/// The half of a queue pair that executes requests of peers; each service has its own. The methods
/// about responses are for the one service that responds.
public interface ReceiveSide {
    /// Starts anew: the unfinished message is given up without a word.
    void reset();

    /// Ready for packets from this sequence number on.
    void startAt(int psn);

    /// The number of READs and atomics to answer at a time was changed; most services answer none.
    default void resize(int reads) {}

    void handle(long nowNs, InboundPacket packet);

    /// Gives up an unfinished message; its receive request completes as flushed.
    void flushMessage();

    /// Bytes that were placed of all messages; 0 where messages are one packet long.
    default long placed() {
        return 0;
    }

    /// Gives up all answers that are owed.
    default void silence() {}

    /// Whether an answer waits to be sent.
    default boolean hasWork() {
        return false;
    }

    /// The time to wait with an acknowledgement is over.
    default void acknowledgementDue() {
        throw new AssertionError("nothing is acknowledged");
    }

    /// Sends one answer; returns its bytes, or why there is none.
    default int transmit(long nowNs, int budgetBytes, TransmitSink sink) {
        return Transmitter.NOTHING;
    }
}
