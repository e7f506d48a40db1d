package dev.verbena.transport;

import dev.verbena.verbs.Access;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What others note down on a queue pair: its settings, and its places with those that wait.
///
/// It is a part of [TransportQueuePair] and not an object of its own, which would cost each of them
/// a header.
abstract class QueuePairRecord extends Transmitter {
    /// Settings, kept by [QueuePairSettings].
    @Nullable Path path;

    Set<Access> access = Set.of();
    int accessBits;
    int partitionIndex;
    int partitionKey;
    int queueKey;
    int peer;
    int mtuShift = 10;
    int timeout;
    long timeoutNs;
    int retryCount;
    int rnrRetry;
    int minRnrTimer;
    int readsAsInitiator;
    int readsAsResponder;
    int firstSendPsn;
    int firstReceivePsn;
    long rateLimit;
    boolean drainNotify;

    /// The connection that it was made for, where connections are managed.
    @Nullable TransportConnection connection;

    /// The device window's: whether it waits for room, and who does behind it.
    boolean isInLine;

    @Nullable TransportQueuePair nextInLine;

    /// The timer queue's: the time it is put in for, and where it stands.
    long timerAtNs;

    int timerPlace = -1;
}
