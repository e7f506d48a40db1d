package dev.verbena.transport;

import dev.verbena.verbs.Address;
import org.jspecify.annotations.Nullable;

/// A message of an unreliable service, and how much of it was sent.
final class UnreliableMessage {
    final Message message;
    final UnreliableSendQueue from;
    final int packets;

    /// Packets that have left, and the sequence number of the first.
    int sent;

    int firstPsn;

    /// Whether its memory goes away at a time that it may be done before.
    boolean mayLive;

    /// Where a datagram goes, and what it shows there.
    @Nullable Address way;

    int queuePair;
    int queueKey;

    /// Where a WRITE goes.
    long address;

    UnreliableMessage(UnreliableSendQueue from, Message message, int packets) {
        this.from = from;
        this.message = message;
        this.packets = packets;
    }

    boolean isSent() {
        return sent == packets;
    }

    @Override
    public String toString() {
        return "%s, %d of %d packets sent".formatted(message, sent, packets);
    }
}
