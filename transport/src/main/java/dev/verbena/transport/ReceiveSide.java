package dev.verbena.transport;

/// The half of a queue pair that executes requests of peers; each service has its own. The methods
/// about responses are for the one service that responds.
interface ReceiveSide {
    static ReceiveSide of(TransportQueuePair pair, Engine engine) {
        return switch (pair.type()) {
            case RC -> new Responder(pair, engine);
            case UC -> new UnreliableReceiver(pair, engine);
            case UD -> new DatagramReceiver(pair, engine);
        };
    }

    /// Starts anew: the unfinished message is given up without a word.
    void reset();

    /// Ready for packets from this sequence number on.
    void startAt(int psn);

    /// The number of READs and atomics to answer at a time was changed; most services answer none.
    default void resize(int reads) {}

    void handle(long nowNs, InboundPacket packet);

    /// Gives up an unfinished message; its receive request completes as flushed.
    void flushMessage();

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
        return TransportQueuePair.NOTHING;
    }
}
