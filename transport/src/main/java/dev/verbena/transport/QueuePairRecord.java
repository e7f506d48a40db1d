package dev.verbena.transport;

import dev.verbena.verbs.Access;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// State that other parts keep on a queue pair: its settings, and its positions in waiting lines.
///
/// It is a part of [TransportQueuePair] and not a separate object, which would cost each of them a
/// header.
abstract class QueuePairRecord extends PacedTransmitter {
    final Engine engine;

    /// Settings, kept by [QueuePairSettings].
    @Nullable Path path;

    Set<Access> access = Set.of();
    int accessBits;
    int partitionIndex;
    int partitionKey;
    int queueKey;
    int peer;
    int mtuShift = 10;
    byte timeout;
    long timeoutNs;
    byte retryCount;
    byte rnrRetry;
    byte minRnrTimer;
    int readsAsInitiator;
    int readsAsResponder;
    int firstSendPsn;
    int firstReceivePsn;
    long rateLimit;
    boolean drainNotify;

    /// Whether its packets say that switches may mark them.
    boolean isMarkable;

    /// The connection that it was made for, where connections are managed.
    @Nullable TransportConnection connection;

    /// Whether a peer may remember its number from a connection.
    boolean isRemembered;

    /// Notifies the peer that its packets arrived marked; null until the first marked packet.
    @Nullable CongestionNotice notice;

    /// Used by the device window: whether the queue pair waits for room, and the next one in the
    /// line.
    boolean isInLine;

    @Nullable TransportQueuePair nextInLine;

    /// The timer queue's: the time it is put in for, and where it stands.
    long timerAtNs;

    int timerPlace = -1;

    QueuePairRecord(Engine engine) {
        this.engine = engine;
    }

    /// Moves it to the ring of another traffic class.
    final void lane(int value) {
        if (lane != value) {
            boolean wasActive = isActive;
            engine.scheduler.remove(this);
            lane = value;
            if (wasActive) {
                engine.scheduler.activate(this);
            }
        }
    }

    final void way(Path next) {
        if (path != null) {
            engine.paths.release(path.index());
        }
        path = next;
        lane(next.trafficClass());
    }

    /// A connection is made for it, whose peer will remember its number.
    final void isFor(TransportConnection made) {
        connection = made;
        isRemembered = true;
    }

    /// Cancels notifications to the old peer.
    final void endNotices() {
        if (notice != null) {
            notice.end();
            notice = null;
        }
    }
}
