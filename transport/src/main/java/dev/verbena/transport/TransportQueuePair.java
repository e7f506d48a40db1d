package dev.verbena.transport;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairOptions;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairTransitions;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.SendBatch;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Pkey;
import dev.verbena.wire.Psn;
import dev.verbena.wire.Service;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A queue pair: its two queues, its state, its deadlines, and the parts that do the work.
final class TransportQueuePair implements QueuePair {
    /// Answers of the parts that send: no packet now, or none that fits.
    static final int NOTHING = 0;

    static final int TOO_LARGE = -1;

    /// The retry count after a missing receive request that means: never give up.
    static final int RETRY_FOREVER = 7;

    private final TransportDevice device;
    private final Engine engine;
    private final TransportDomain domain;
    private final QueuePairType type;
    private final int number;
    final int index;
    final WorkReporter reporter;
    final WorkQueue sendQueue;
    final WorkQueue receiveQueue;
    final Requester requester;
    final Responder responder;

    private QueuePairState state = QueuePairState.RESET;
    private boolean closed;
    private boolean isEstablished;
    private boolean isResponderTurn;
    private @Nullable TransportSendBatch openSends;
    private @Nullable TransportReceiveBatch openReceives;

    /// Settings, kept by [QueuePairSettings].
    @Nullable Path path;

    Set<Access> access = Set.of();
    int accessBits;
    int partitionIndex;
    int partitionKey;
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

    /// The scheduler's: which ring it is in, and who follows.
    boolean isActive;

    int lane;
    @Nullable TransportQueuePair nextActive;

    /// The timer queue's: the time it is put in for, and where it stands.
    long timerAtNs;

    int timerPlace = -1;

    private final Deadlines deadlines = new Deadlines();

    TransportQueuePair(
            TransportDevice device,
            TransportDomain domain,
            QueuePairType type,
            QueuePairOptions options,
            int index) {
        this.device = device;
        this.engine = device.engine();
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
        this.readsAsResponder = engine.options.reads;
        this.sendQueue = new WorkQueue(engine.work, options.sendDepth());
        this.receiveQueue = new WorkQueue(engine.work, options.receiveDepth());
        this.requester = new Requester(this, engine, sendQueue);
        this.responder = new Responder(this, engine);
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

    TransportDomain domainImpl() {
        return domain;
    }

    @Override
    public QueuePairState state() {
        return state;
    }

    @Override
    public Endpoint endpoint() {
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
                0);
    }

    @Override
    public void connect(Endpoint peerEndpoint, Consumer<QueuePairAttributes> changes) {
        requireOpen();
        QueuePairSettings.connect(this, engine, peerEndpoint, changes);
    }

    @Override
    public void modify(QueuePairState target, Consumer<QueuePairAttributes> values) {
        requireOpen();
        QueuePairAttributes attributes = new QueuePairAttributes();
        values.accept(attributes);
        modify(target, attributes);
    }

    void modify(QueuePairState target, QueuePairAttributes attributes) {
        QueuePairTransitions.check(toString(), type, state, target, attributes.set());
        QueuePairSettings.check(this, engine, attributes);
        QueuePairSettings.apply(this, engine, attributes);
        enter(target);
        device.wakeIfBusy();
    }

    @Override
    public QueuePairAttributes query() {
        requireOpen();
        return QueuePairSettings.query(this);
    }

    @Override
    public SendBatch sends() {
        requireOpen();
        if (openSends != null) {
            openSends.abort();
        }
        openSends = engine.batches.sends(this);
        return openSends;
    }

    @Override
    public ReceiveBatch receives() {
        requireOpen();
        if (openReceives != null) {
            openReceives.abort();
        }
        openReceives = engine.batches.receives(this);
        return openReceives;
    }

    void sendsClosed() {
        openSends = null;
    }

    void receivesClosed() {
        openReceives = null;
    }

    @Override
    public int sendRoom() {
        return sendQueue.room();
    }

    @Override
    public int receiveRoom() {
        return receiveQueue.room();
    }

    @Override
    public void close() {
        if (!closed) {
            if (openSends != null) {
                openSends.abort();
            }
            if (openReceives != null) {
                openReceives.abort();
            }
            enter(QueuePairState.RESET);
            engine.pairs.remove(this);
            closed = true;
        }
    }

    /// Takes a batch of send requests that fits the queue.
    void postSends(int first, int last, int count) {
        sendQueue.append(first, last, count);
        if (state == QueuePairState.ERROR || state == QueuePairState.SEND_QUEUE_ERROR) {
            requester.flush(true);
            settle();
            return;
        }
        requester.posted(first);
        activate();
        device.wakeIfBusy();
    }

    /// Takes a batch of receive requests that fits the queue.
    void postReceives(int first, int last, int count) {
        receiveQueue.append(first, last, count);
        if (state == QueuePairState.ERROR) {
            flushReceives(true);
            settle();
        }
    }

    /// Whether requests of ours may be on their way.
    boolean sendsRequests() {
        return state == QueuePairState.READY_TO_SEND || state == QueuePairState.SEND_QUEUE_DRAINED;
    }

    void activate() {
        if (!isActive) {
            // What is posted now goes before an acknowledgement that is owed already.
            isResponderTurn = false;
            engine.scheduler.activate(this);
        }
    }

    /// Sends one packet; returns its bytes, or why there is none.
    int transmit(long nowNs, int budgetBytes, TransmitSink sink) {
        int sent = isResponderTurn ? respond(budgetBytes, sink) : request(nowNs, budgetBytes, sink);
        if (sent == NOTHING) {
            sent = isResponderTurn ? request(nowNs, budgetBytes, sink) : respond(budgetBytes, sink);
        } else if (sent > 0) {
            isResponderTurn = !isResponderTurn;
        }
        settle();
        return sent;
    }

    /// Whether it is worth asking for another packet.
    boolean mayHaveMore() {
        return requester.hasWork() || responder.responses.hasWork();
    }

    private int request(long nowNs, int budgetBytes, TransmitSink sink) {
        return requester.transmit(nowNs, budgetBytes, sink);
    }

    private int respond(int budgetBytes, TransmitSink sink) {
        return responder.responses.transmit(budgetBytes, sink, responder);
    }

    /// Begins a packet to the peer: everything but what its opcode adds.
    void startPacket(OutboundPacket packet, Opcode opcode, int flags, int payload, int psn) {
        Path way = path;
        packet.clear();
        packet.path = way;
        packet.queuePair = number;
        packet.ecn = way == null ? 0 : way.address().trafficClass() & 3;
        packet.headerLength = Bth.LENGTH + opcode.headersLength();
        Bth.put(
                packet.header(),
                packet.headerAt(),
                opcode.code(),
                flags,
                -payload & 3,
                partitionKey,
                peer,
                psn);
    }

    void finishPacket(TransmitSink sink, OutboundPacket packet) {
        engine.counters.add(Counter.SENT_PACKETS);
        engine.counters.add(Counter.SENT_BYTES, packet.length());
        sink.accept(packet);
    }

    /// Takes a packet that is addressed to it.
    void handle(long nowNs, InboundPacket packet) {
        var view = packet.view();
        Path way = path;
        if (!state.answers() || way == null) {
            engine.counters.add(Counter.DROPPED_STATE);
        } else if (view.opcode().service() != Service.RC) {
            engine.counters.add(Counter.DROPPED_SERVICE);
        } else if (!way.isFrom(packet)) {
            engine.counters.add(Counter.DROPPED_SOURCE);
        } else if (!Pkey.match(partitionKey, view.pkey())) {
            engine.counters.add(Counter.DROPPED_PARTITION);
        } else {
            if (!isEstablished) {
                establish();
            }
            if (view.opcode().operation().isResponse()) {
                engine.completer.handle(this, nowNs, packet);
            } else {
                responder.handle(nowNs, packet);
            }
            settle();
        }
    }

    /// IBA 11.6.3.2: the peer is ready before our side has been told so.
    private void establish() {
        isEstablished = true;
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
        if (atNs != TimerQueue.NEVER) {
            engine.timers.arm(this, atNs);
        }
    }

    /// Does what is due; the timer queue has let go of it.
    void handleTimeout(long nowNs) {
        if (deadlines.take(TimerKind.ACKNOWLEDGE, nowNs)) {
            responder.responses.due();
        }
        if (deadlines.take(TimerKind.PACE, nowNs)) {
            activate();
        }
        if (deadlines.take(TimerKind.RECEIVER_READY, nowNs)) {
            requester.receiverMayBeReady();
        }
        if (deadlines.take(TimerKind.RETRANSMIT, nowNs)) {
            requester.timedOut(nowNs);
        }
        settle();
        long nextNs = deadlines.earliest();
        if (nextNs != TimerQueue.NEVER) {
            engine.timers.arm(this, nextNs);
        }
    }

    /// Fails after all, when a completion could not be reported; never in the middle of other work.
    private void settle() {
        if (reporter.takeLoss() && canFail()) {
            fail();
        }
    }

    /// Fails because a completion queue of its own lost a completion of another queue pair.
    void failWith(TransportCompletionQueue lost) {
        if (reporter.uses(lost) && canFail()) {
            fail();
        }
    }

    private boolean canFail() {
        return state != QueuePairState.ERROR && state != QueuePairState.RESET;
    }

    /// All begun work is done after the queue was told to drain.
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

    /// Fails, but answers first what it owes, and says why.
    void failAfterAnswering() {
        fail(false);
    }

    private void fail(boolean isSilent) {
        state = QueuePairState.ERROR;
        deadlines.stop();
        if (isSilent) {
            responder.responses.reset();
        }
        requester.flush(true);
        responder.flushMessage();
        flushReceives(true);
        reporter.takeLoss();
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
            case READY_TO_RECEIVE -> {
                responder.startAt(firstReceivePsn);
                responder.responses.reads.start(readsAsResponder);
            }
            case READY_TO_SEND -> {
                if (from == QueuePairState.READY_TO_RECEIVE) {
                    requester.startAt(firstSendPsn);
                }
                activate();
            }
            case SEND_QUEUE_DRAINED -> {
                if (from != target) {
                    requester.drainAgain();
                }
                requester.refillRetries();
                responder.responses.reads.resize(readsAsResponder);
                requester.checkDrained();
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
        requester.flush(false);
        requester.reset();
        responder.reset();
        flushReceives(false);
        isEstablished = false;
        drainNotify = false;
        rateLimit = 0;
        requester.rate(RateControl.UNLIMITED);
        reporter.takeLoss();
    }

    private int freshPsn() {
        return engine.options.random.nextInt(Psn.MASK + 1);
    }

    private void flushReceives(boolean report) {
        while (receiveQueue.count() > 0) {
            int slot = receiveQueue.remove();
            if (report) {
                reporter.flushReceive(slot);
            } else {
                engine.retire(slot);
            }
        }
    }

    void requireOpen() {
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
