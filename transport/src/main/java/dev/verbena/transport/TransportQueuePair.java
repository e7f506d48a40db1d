package dev.verbena.transport;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairOptions;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairTransitions;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.WrongStateException;
import dev.verbena.wire.Psn;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A queue pair: its two queues, its state, its deadlines, and the parts that do the work.
final class TransportQueuePair extends QueuePairRecord implements QueuePair, ReceiveOwner {
    /// Answers of the parts that send: no packet now, or none that fits.
    static final int NOTHING = 0;

    static final int TOO_LARGE = -1;

    /// The retry count after a missing receive request that means: never give up.
    static final int RETRY_FOREVER = 7;

    private final TransportDevice device;
    private final TransportDomain domain;
    private final QueuePairType type;
    private final int number;
    final int index;
    final WorkReporter reporter;
    final WorkQueue sendQueue;
    private final WorkQueue receiveQueue;
    private final @Nullable TransportSharedReceives shared;
    final SendSide sender;
    final ReceiveSide receiver;

    /// Read by other threads without the guard.
    private volatile QueuePairState state = QueuePairState.RESET;

    private boolean closed;
    private boolean isEstablished;
    private boolean isResponderTurn;
    private boolean isMember;

    /// How deep it is in work of its own; it does not fail in the middle of it.
    private int working;

    private final OpenBatches batches;

    private final Deadlines deadlines = new Deadlines();

    TransportQueuePair(
            TransportDevice device,
            TransportDomain domain,
            QueuePairType type,
            QueuePairOptions options,
            int index) {
        super(device.engine());
        this.device = device;
        this.batches = new OpenBatches(engine.batches);
        this.domain = domain;
        this.type = type;
        this.index = index;
        this.reporter =
                new WorkReporter(
                        this,
                        engine,
                        device.own(options.sendCompletions()),
                        device.own(options.receiveCompletions()),
                        options.isSignalAll());
        this.number = engine.pairs.freshNumber();
        this.firstSendPsn = freshPsn();
        this.readsAsResponder =
                Math.min(engine.options.reads, engine.options.limits.readsAsResponder());
        this.sendQueue = new WorkQueue(engine.work, options.sendDepth());
        this.shared = device.own(options.sharedReceives());
        this.receiveQueue =
                shared == null
                        ? new WorkQueue(engine.work, options.receiveDepth())
                        : shared.receiveQueue();
        this.sender = SendSide.of(this, engine);
        this.receiver = ReceiveSide.of(this, engine);
        if (shared != null) {
            shared.use();
        }
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairType type() {
        return type;
    }

    @Override
    public ProtectionDomain domain() {
        return domain;
    }

    @Override
    public TransportDomain domainImpl() {
        return domain;
    }

    /// The sending half of a reliable connection.
    Requester requester() {
        return (Requester) sender;
    }

    @Override
    public QueuePairState state() {
        return state;
    }

    @Override
    public Endpoint endpoint() {
        try (var _ = engine.door.enter()) {
            requireOpen();
            TransportOptions options = engine.options;
            return new Endpoint(
                    type,
                    options.port.lid(),
                    options.gids.getFirst(),
                    number,
                    firstSendPsn,
                    options.port.activeMtu(),
                    readsAsResponder,
                    options.udpPort,
                    partitionKey,
                    queueKey);
        }
    }

    @Override
    public void connect(Endpoint peerEndpoint, Consumer<QueuePairAttributes> changes) {
        try (var _ = engine.door.enter()) {
            requireOpen();
            QueuePairSettings.connect(this, engine, peerEndpoint, changes);
        }
    }

    @Override
    public void activate(Consumer<QueuePairAttributes> changes) {
        try (var _ = engine.door.enter()) {
            requireOpen();
            QueuePairSettings.activate(this, engine, changes);
        }
    }

    @Override
    public void attachMulticast(Gid group, int lid) {
        try (var _ = engine.door.enter()) {
            requireOpen();
            engine.multicast.attach(this, group, lid);
            isMember = true;
        }
    }

    @Override
    public void detachMulticast(Gid group, int lid) {
        try (var _ = engine.door.enter()) {
            requireOpen();
            engine.multicast.detach(this, group, lid);
        }
    }

    @Override
    public void modify(QueuePairState target, Consumer<QueuePairAttributes> values) {
        QueuePairAttributes attributes = new QueuePairAttributes();
        values.accept(attributes);
        modify(target, attributes);
    }

    void modify(QueuePairState target, QueuePairAttributes attributes) {
        try (var _ = engine.door.enter()) {
            requireOpen();
            QueuePairTransitions.check(toString(), type, state, target, attributes.set());
            QueuePairSettings.check(this, engine, attributes);
            QueuePairSettings.apply(this, engine, attributes);
            enter(target);
            device.wakeIfBusy();
        }
    }

    @Override
    public QueuePairAttributes query() {
        try (var _ = engine.door.enter()) {
            requireOpen();
            return QueuePairSettings.query(this);
        }
    }

    @Override
    public SendBatch sends() {
        try (var _ = engine.door.enter()) {
            requireOpen();
            return batches.sends(this);
        }
    }

    @Override
    public ReceiveBatch receives() {
        try (var _ = engine.door.enter()) {
            requireOpen();
            if (shared != null) {
                throw new InvalidRequestException(
                        toString(), "it takes its receives from " + shared, "post them there");
            }
            return batches.receives(this);
        }
    }

    @Override
    public OpenBatches batches() {
        return batches;
    }

    @Override
    public int sendRoom() {
        try (var _ = engine.door.enter()) {
            return sendQueue.room();
        }
    }

    @Override
    public int receiveRoom() {
        try (var _ = engine.door.enter()) {
            return shared == null ? receiveQueue.room() : 0;
        }
    }

    @Override
    public WorkQueue receiveQueue() {
        return receiveQueue;
    }

    boolean takesSharedReceives() {
        return shared != null;
    }

    /// The oldest receive request, of which there is one.
    int takeReceive() {
        return shared == null ? receiveQueue.take() : shared.take();
    }

    @Override
    public void checkReceives() {
        if (!state.takesReceives()) {
            throw new WrongStateException(
                    toString(),
                    "it is in " + state.symbol() + " and cannot receive",
                    "move it to INIT first");
        }
    }

    @Override
    public void close() {
        try (var _ = engine.door.enter()) {
            if (!closed) {
                batches.orphan();
                closed = true;
                if (connection != null) {
                    connection.disconnect();
                }
                enter(QueuePairState.RESET);
                engine.pairs.remove(this);
                device.reach(-1);
                if (isMember) {
                    engine.multicast.detachAll(this);
                }
                endNotices();
                if (path != null) {
                    engine.paths.release(path.index());
                    path = null;
                }
                if (shared != null) {
                    shared.unuse();
                }
                if (engine.window.isLimited()) {
                    // Others may have its room now.
                    device.wakeIfBusy();
                }
            }
        }
    }

    /// Takes a batch of send requests that fits the queue.
    void postSends(int first, int last, int count) {
        sendQueue.append(first, last, count);
        working++;
        if (state == QueuePairState.ERROR || state == QueuePairState.SEND_QUEUE_ERROR) {
            sender.flush(true);
            settle();
            device.wakeIfBusy();
            return;
        }
        sender.posted(first);
        wake();
        settle();
        device.wakeIfBusy();
    }

    @Override
    public void postReceives(int first, int last, int count) {
        receiveQueue.append(first, last, count);
        working++;
        if (state == QueuePairState.ERROR) {
            flushReceives(true);
            settle();
            // It may have ended connections of others.
            device.wakeIfBusy();
            return;
        }
        settle();
    }

    /// Whether requests of this queue pair may be in flight.
    boolean sendsRequests() {
        return state == QueuePairState.READY_TO_SEND || state == QueuePairState.SEND_QUEUE_DRAINED;
    }

    /// Puts it among those that may have something to send.
    void wake() {
        if (!isActive && !closed) {
            // Newly posted requests go before an acknowledgement that is already due.
            isResponderTurn = false;
            engine.scheduler.activate(this);
        }
    }

    @Override
    int transmit(long nowNs, int budgetBytes, TransmitSink sink) {
        working++;
        int sent =
                isResponderTurn
                        ? receiver.transmit(nowNs, budgetBytes, sink)
                        : sender.transmit(nowNs, budgetBytes, sink);
        if (sent == NOTHING) {
            sent =
                    isResponderTurn
                            ? sender.transmit(nowNs, budgetBytes, sink)
                            : receiver.transmit(nowNs, budgetBytes, sink);
        } else if (sent > 0) {
            isResponderTurn = !isResponderTurn;
        }
        settle();
        return sent;
    }

    @Override
    boolean mayHaveMore() {
        return sender.hasWork() || receiver.hasWork();
    }

    @Override
    void awaitPace(long atNs) {
        engine.counters.add(Counter.PACE_STALL);
        deadline(TimerKind.PACE, atNs);
    }

    /// The path to the peer of a connected queue pair.
    Path connected() {
        return Objects.requireNonNull(path, "only a connected queue pair has a peer");
    }

    /// Takes a packet that is addressed to it.
    void handle(long nowNs, InboundPacket packet) {
        if (!engine.admission.admits(this, packet)
                || engine.congestion.takes(this, nowNs, packet)) {
            return;
        }
        working++;
        if (!isEstablished && type != QueuePairType.UD) {
            establish();
        }
        if (packet.view().opcode().operation().isResponse()) {
            engine.completer.handle(this, nowNs, packet);
        } else {
            receiver.handle(nowNs, packet);
        }
        settle();
    }

    /// IBA 11.6.3.2: the peer is ready before the local side was notified.
    private void establish() {
        isEstablished = true;
        if (connection != null) {
            connection.firstPacket();
        }
        if (state == QueuePairState.READY_TO_RECEIVE) {
            engine.counters.add(Counter.ESTABLISHED_BY_PACKET);
            engine.events.add(
                    AsyncEvent.Type.COMMUNICATION_ESTABLISHED,
                    number,
                    this + " took its first packet before it was ready to send");
        }
    }

    long deadline(TimerKind kind) {
        return deadlines.of(kind);
    }

    void deadline(TimerKind kind, long atNs) {
        deadlines.set(kind, atNs);
        if (atNs != TimerQueue.NEVER && !closed) {
            engine.timers.arm(this, atNs);
        }
    }

    /// Handles the timers that are due; the timer queue no longer holds this queue pair.
    void handleTimeout(long nowNs, long heardNs) {
        working++;
        if (deadlines.take(TimerKind.ACKNOWLEDGE, nowNs)) {
            receiver.acknowledgementDue();
        }
        if (deadlines.take(TimerKind.PACE, nowNs)) {
            wake();
        }
        if (deadlines.take(TimerKind.RECEIVER_READY, nowNs)) {
            sender.receiverMayBeReady();
        }
        if (deadlines.take(TimerKind.RETRANSMIT, heardNs)) {
            sender.timedOut(nowNs);
        }
        settle();
        long nextNs = deadlines.next(nowNs, heardNs);
        if (nextNs != TimerQueue.NEVER) {
            engine.timers.arm(this, nextNs);
        }
    }

    /// Fails after all, when a completion could not be reported; never in the middle of other work.
    private void settle() {
        working--;
        if (working == 0 && reporter.takeLoss() && canFail()) {
            fail();
        }
    }

    /// Fails because a completion queue of its own lost a completion of another queue pair.
    void failWith(TransportCompletionQueue lost) {
        if (reporter.uses(lost) && canFail()) {
            if (working > 0) {
                reporter.lose();
            } else {
                fail();
            }
        }
    }

    /// Fails with its device, whatever state it is in.
    void failWithDevice() {
        if (canFail()) {
            fail();
        }
    }

    boolean isClosed() {
        return closed;
    }

    private boolean canFail() {
        return state != QueuePairState.ERROR && state != QueuePairState.RESET;
    }

    /// All started work is done after a request to drain the queue.
    void drained() {
        engine.counters.add(Counter.DRAINED);
        if (drainNotify) {
            engine.events.add(AsyncEvent.Type.SEND_QUEUE_DRAINED, number, this + " has drained");
        }
    }

    /// Fails: everything that is posted is flushed, nothing more is sent.
    void fail() {
        enter(QueuePairState.ERROR);
    }

    /// Fails, but first sends the responses that are due, with the reason.
    void failAfterAnswering() {
        fail(false);
    }

    private void fail(boolean isSilent) {
        boolean isFirst = state != QueuePairState.ERROR;
        state = QueuePairState.ERROR;
        deadlines.stop();
        if (isSilent) {
            receiver.silence();
        }
        sender.flush(true);
        receiver.flushMessage();
        flushReceives(true);
        reporter.takeLoss();
        if (connection != null) {
            connection.pairFailed(!isSilent);
        }
        if (isFirst && shared != null) {
            // IBA 11.6.3.2: nothing of the shared queue is in its hands any more.
            engine.counters.add(Counter.LAST_REQUEST);
            engine.events.add(
                    AsyncEvent.Type.LAST_WORK_REQUEST,
                    number,
                    this + " failed and takes nothing more from " + shared);
        }
    }

    /// The send queue of an unreliable service stops; receives go on (IBA 10.3.1.6).
    void failSends() {
        if (state != QueuePairState.READY_TO_SEND) {
            fail();
            return;
        }
        engine.counters.add(Counter.SEND_QUEUE_FAILED);
        state = QueuePairState.SEND_QUEUE_ERROR;
        sender.flush(true);
    }

    private void enter(QueuePairState target) {
        QueuePairState from = state;
        if (target == QueuePairState.ERROR) {
            fail(true);
            return;
        }
        state = target;
        switch (target) {
            case RESET -> resetParts();
            case READY_TO_RECEIVE -> receiver.startAt(firstReceivePsn);
            case READY_TO_SEND -> {
                if (from == QueuePairState.READY_TO_RECEIVE) {
                    sender.startAt(firstSendPsn);
                }
                wake();
            }
            case SEND_QUEUE_DRAINED -> {
                receiver.resize(readsAsResponder);
                sender.drain(from != target);
            }
            default -> {}
        }
    }

    private void resetParts() {
        // A late packet of the old connection must not fit the next one.
        firstSendPsn = freshPsn();
        deadlines.stop();
        engine.timers.remove(this);
        engine.scheduler.remove(this);
        sender.flush(false);
        sender.reset();
        receiver.reset();
        flushReceives(false);
        isEstablished = false;
        drainNotify = false;
        rateLimit = 0;
        rate(RateControl.of(engine.options, type, 0));
        reporter.takeLoss();
    }

    private int freshPsn() {
        return engine.options.random.nextInt(Psn.MASK + 1);
    }

    private void flushReceives(boolean report) {
        while (shared == null && receiveQueue.count() > 0) {
            int slot = receiveQueue.take();
            if (report) {
                reporter.flushReceive(slot);
            } else {
                reporter.forgetReceive(slot);
            }
        }
    }

    @Override
    public void requireOpen() {
        device.requireOpen();
        if (closed) {
            throw new ClosedException(toString(), "it was closed", "use it before closing it");
        }
    }

    @Override
    public String toString() {
        return "qp 0x%x".formatted(number);
    }
}
