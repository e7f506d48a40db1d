package dev.verbena.transport.pair;

import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.Path;
import dev.verbena.transport.common.DeviceLife;
import dev.verbena.transport.memory.KeyUser;
import dev.verbena.transport.schedule.Deadlines;
import dev.verbena.transport.schedule.PacedTransmitter;
import dev.verbena.transport.schedule.Scheduler;
import dev.verbena.transport.schedule.TimerKind;
import dev.verbena.transport.schedule.TimerQueue;
import dev.verbena.transport.work.ReceiveOwner;
import dev.verbena.transport.work.SendOwner;
import dev.verbena.transport.work.TransportCompletionQueue;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A queue pair as its parts see it: its settings and state, its deadlines and turns, and what they
/// can ask of it.
public abstract class QueuePairCore extends PacedTransmitter
        implements QueuePair, KeyUser, SendOwner, ReceiveOwner {
    /// The retry count after a missing receive request that means: never give up.
    public static final int RETRY_FOREVER = 7;

    private final Scheduler scheduler;
    private final TimerQueue timers;
    private final ProtectionDomain domain;
    private final QueuePairType type;
    private final int number;
    private final Deadlines deadlines = new Deadlines();

    /// Read by other threads without the guard.
    private volatile QueuePairState state = QueuePairState.RESET;

    private boolean closed;

    private PairSettings settings;

    /// The path to the peer, held in the device's table.
    public @Nullable Path path;

    /// The connection that it was made for, where connections are managed.
    public @Nullable PairConnection connection;

    /// Whether a peer may remember its number from a connection.
    public boolean isRemembered;

    /// Notifies the peer that its packets arrived marked; null until the first marked packet.
    @Nullable CongestionNotice notice;

    /// Whether the next acknowledgement tells the peer of a mark.
    public boolean owesMark;

    public QueuePairCore(
            Scheduler scheduler,
            TimerQueue timers,
            ProtectionDomain domain,
            QueuePairType type,
            int number,
            int index,
            PairSettings settings) {
        super(index);
        this.scheduler = scheduler;
        this.timers = timers;
        this.domain = domain;
        this.type = type;
        this.number = number;
        this.settings = settings;
    }

    @Override
    public final int number() {
        return number;
    }

    @Override
    public final QueuePairType type() {
        return type;
    }

    @Override
    public final ProtectionDomain domain() {
        return domain;
    }

    @Override
    public final QueuePairState state() {
        return state;
    }

    public final void state(QueuePairState next) {
        state = next;
    }

    @Override
    public final boolean isClosed() {
        return closed;
    }

    /// Nothing wakes it any more.
    public final void markClosed() {
        closed = true;
    }

    @Override
    public final int readsAsInitiator() {
        return settings.readsAsInitiator();
    }

    /// The settings in force.
    public final PairSettings settings() {
        return settings;
    }

    public final void settings(PairSettings next) {
        settings = next;
    }

    /// Whether requests of this queue pair may be in flight.
    public final boolean sendsRequests() {
        return state == QueuePairState.READY_TO_SEND || state == QueuePairState.SEND_QUEUE_DRAINED;
    }

    /// The path to the peer of a connected queue pair.
    final Path connected() {
        return Objects.requireNonNull(path, "only a connected queue pair has a peer");
    }

    /// Puts it among those that may have something to send.
    public void wake() {
        if (!isActive && !closed) {
            scheduler.activate(this);
        }
    }

    /// Moves it to the ring of another traffic class.
    public final void lane(int value) {
        if (lane != value) {
            boolean wasActive = isActive;
            scheduler.remove(this);
            lane = value;
            if (wasActive) {
                scheduler.activate(this);
            }
        }
    }

    public final Deadlines deadlines() {
        return deadlines;
    }

    public final long deadline(TimerKind kind) {
        return deadlines.of(kind);
    }

    public final void deadline(TimerKind kind, long atNs) {
        deadlines.set(kind, atNs);
        if (atNs != TimerQueue.NEVER && !closed) {
            timers.arm(this, atNs);
        }
    }

    /// A connection is made for it, whose peer will remember its number.
    public final void isFor(PairConnection made) {
        connection = made;
        isRemembered = true;
    }

    /// Cancels notifications to the old peer.
    public final void endNotices() {
        if (notice != null) {
            notice.end();
            notice = null;
        }
    }

    public abstract WorkReporter reporter();

    public abstract boolean isOn(DeviceLife device);

    /// The half that carries out its send queue.
    public abstract SendSide sender();

    /// The half that executes requests of peers.
    public abstract ReceiveSide receiver();

    /// Takes a packet that is addressed to it.
    public abstract void handle(long nowNs, InboundPacket packet);

    public abstract boolean takesSharedReceives();

    /// The oldest receive request, of which there is one.
    public abstract int takeReceive();

    /// After a request to drain the send queue, says once that all started work is done.
    public abstract void checkDrained(boolean isDone);

    /// Fails: everything that is posted is flushed, nothing more is sent.
    public abstract void fail();

    /// Fails, but first sends the responses that are due, with the reason.
    public abstract void failAfterAnswering();

    /// The send queue of an unreliable service stops; receives go on (IBA 10.3.1.6).
    public abstract void failSends();

    /// Fails the other queue pairs that report to a completion queue which ran over.
    public abstract void failOthers(TransportCompletionQueue lost);

    /// Why packets to the peer do not leave this machine, where that is the trouble; or 0.
    public abstract int lastError();

    /// An event of its own for programs that poll events.
    public abstract void tell(AsyncEvent.Type event, String explanation);

    /// The same for what a program should not miss.
    public abstract void warn(AsyncEvent.Type event, String explanation);

    @Override
    public String toString() {
        // It is asked for by every transition, so that an error can name it.
        return "qp 0x" + Integer.toHexString(number);
    }
}
