package dev.verbena.transport;

/// The half of a queue pair that carries out requests of peers; each service has its own.
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

    /// The number of READs and atomics to answer at a time was changed.
    void resize(int reads);

    void handle(long nowNs, InboundPacket packet);

    /// Gives up an unfinished message; its receive request completes as flushed.
    void flushMessage();

    /// Gives up all answers that are owed.
    void silence();

    /// Whether an answer waits to be sent.
    boolean hasWork();

    /// The time to wait with an acknowledgement is over.
    void acknowledgementDue();

    /// Sends one answer; returns its bytes, or why there is none.
    int transmit(int budgetBytes, TransmitSink sink);
}
