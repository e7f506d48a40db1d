package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.Path;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.common.DeviceLife;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.pair.ReceiveSide;
import dev.verbena.transport.pair.SendSide;
import dev.verbena.transport.pair.WorkReporter;
import dev.verbena.transport.schedule.RateControl;
import dev.verbena.transport.schedule.TimerKind;
import dev.verbena.transport.schedule.TimerQueue;
import dev.verbena.transport.work.TransportBatch;
import dev.verbena.transport.work.TransportCompletionQueue;
import dev.verbena.transport.work.TransportSharedReceives;
import dev.verbena.transport.work.WorkQueue;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairOptions;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairTransitions;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.spi.ObjectRules;
import dev.verbena.verbs.spi.StateRules;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A queue pair: its two queues, its state, its deadlines, and the parts that do the work.
final class TransportQueuePair extends QueuePairCore {
    private final Engine engine;
    private final WorkReporter reporter;
    private final WorkQueue sendQueue;
    private final WorkQueue receiveQueue;
    private final @Nullable TransportSharedReceives shared;
    private final SendSide sender;
    private final ReceiveSide receiver;
    private boolean isEstablished;
    private boolean isResponderTurn;
    private boolean isMember;
    private boolean wasDrained;

    /// How deep it is in work of its own; it does not fail in the middle of it.
    private int working;

    private @Nullable TransportBatch<?> newestBatch;

    TransportQueuePair(
            Engine engine,
            TransportDomain domain,
            QueuePairType type,
            QueuePairOptions options,
            int index) {
        super(
                engine.scheduler,
                engine.timers,
                domain,
                type,
                engine.pairs.freshNumber(),
                index,
                engine.firstSettings(type));
        this.engine = engine;
        this.reporter =
                new WorkReporter(
                        this,
                        engine.holds,
                        engine.completions.own(options.sendCompletions()),
                        engine.completions.own(options.receiveCompletions()),
                        options.isSignalAll());
        this.sendQueue = new WorkQueue(engine.holds.work, options.sendDepth());
        this.shared = engine.shared.own(options.sharedReceives());
        this.receiveQueue =
                shared == null
                        ? new WorkQueue(engine.holds.work, options.receiveDepth())
                        : shared.receiveQueue();
        boolean isReliable = type == QueuePairType.RC;
        this.sender = isReliable ? engine.reliable.sender(this) : engine.unreliable.sender(this);
        this.receiver =
                isReliable ? engine.reliable.receiver(this) : engine.unreliable.receiver(this);
        if (shared != null) {
            shared.use();
        }
    }

    @Override
    public WorkReporter reporter() {
        return reporter;
    }

    @Override
    public SendSide sender() {
        return sender;
    }

    @Override
    public ReceiveSide receiver() {
        return receiver;
    }

    @Override
    public boolean isOn(DeviceLife device) {
        return engine.life == device;
    }

    @Override
    public WorkQueue sendQueue() {
        return sendQueue;
    }

    @Override
    public Endpoint endpoint() {
        try (var _ = engine.life.entry.enter()) {
            requireOpen();
            DeviceSettings device = engine.settings;
            return new Endpoint(
                    type(),
                    device.port.now().attributes().lid(),
                    device.port.now().gids().getFirst(),
                    number(),
                    settings().firstSendPsn(),
                    device.port.now().attributes().activeMtu(),
                    settings().readsAsResponder(),
                    device.port.now().udpPort(),
                    settings().partitionKey(),
                    settings().queueKey(),
                    PairChange.offers(this, engine));
        }
    }

    @Override
    public void connect(Endpoint peerEndpoint, Consumer<QueuePairAttributes> changes) {
        try (var _ = engine.life.entry.enter()) {
            requireOpen();
            PairChange.connect(this, engine, peerEndpoint, changes);
        }
    }

    @Override
    public void activate(Consumer<QueuePairAttributes> changes) {
        try (var _ = engine.life.entry.enter()) {
            requireOpen();
            PairChange.activate(this, engine, changes);
        }
    }

    @Override
    public void attachMulticast(Gid group, int lid) {
        try (var _ = engine.life.entry.enter()) {
            requireOpen();
            engine.multicast.attach(this, group, lid);
            isMember = true;
        }
    }

    @Override
    public void detachMulticast(Gid group, int lid) {
        try (var _ = engine.life.entry.enter()) {
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
        try (var _ = engine.life.entry.enter()) {
            requireOpen();
            QueuePairTransitions.check(toString(), type(), state(), target, attributes.set());
            PairChange.check(this, engine, attributes);
            PairChange.apply(this, engine, attributes);
            enter(target);
            engine.scheduler.wakeCarrier();
        }
    }

    @Override
    public QueuePairAttributes query() {
        try (var _ = engine.life.entry.enter()) {
            requireOpen();
            return PairChange.query(this);
        }
    }

    @Override
    public SendBatch sends() {
        try (var _ = engine.life.entry.enter()) {
            requireOpen();
            return engine.batches.sends(this);
        }
    }

    @Override
    public ReceiveBatch receives() {
        try (var _ = engine.life.entry.enter()) {
            requireOpen();
            if (shared != null) {
                throw StateRules.receivesElsewhere(this, shared);
            }
            return engine.batches.receives(this);
        }
    }

    @Override
    public @Nullable TransportBatch<?> newestBatch() {
        return newestBatch;
    }

    @Override
    public void newestBatch(@Nullable TransportBatch<?> batch) {
        newestBatch = batch;
    }

    @Override
    public int sendRoom() {
        try (var _ = engine.life.entry.enter()) {
            return sendQueue.room();
        }
    }

    @Override
    public int receiveRoom() {
        try (var _ = engine.life.entry.enter()) {
            return shared == null ? receiveQueue.room() : 0;
        }
    }

    @Override
    public WorkQueue receiveQueue() {
        return receiveQueue;
    }

    @Override
    public boolean takesSharedReceives() {
        return shared != null;
    }

    @Override
    public int takeReceive() {
        return shared == null ? receiveQueue.take() : shared.take();
    }

    @Override
    public void checkReceives() {
        StateRules.requireReceives(this, state());
    }

    @Override
    public void close() {
        try (var _ = engine.life.entry.enter()) {
            if (!isClosed()) {
                engine.batches.orphan(this);
                markClosed();
                if (connection != null) {
                    connection.disconnect();
                }
                enter(QueuePairState.RESET);
                engine.pairs.remove(this);
                engine.life.reach(-1);
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
                if (engine.reliable.window.isLimited()) {
                    // Others may have its room now.
                    engine.scheduler.wakeCarrier();
                }
            }
        }
    }

    @Override
    public void postSends(int first, int last, int count) {
        if (engine.settings.postDelayNs > 0 && !sender.hasWork()) {
            seenAt(engine.settings.driver.nowNs() + engine.settings.postDelayNs);
        }
        sendQueue.append(first, last, count);
        working++;
        if (state() == QueuePairState.ERROR || state() == QueuePairState.SEND_QUEUE_ERROR) {
            sender.flush(true);
            settle();
            engine.scheduler.wakeCarrier();
            return;
        }
        sender.posted(first);
        wake();
        settle();
        engine.scheduler.wakeCarrier();
    }

    @Override
    public void postReceives(int first, int last, int count) {
        receiveQueue.append(first, last, count);
        working++;
        if (state() == QueuePairState.ERROR) {
            flushReceives(true);
            settle();
            // It may have ended connections of others.
            engine.scheduler.wakeCarrier();
            return;
        }
        settle();
    }

    @Override
    public void wake() {
        if (!isActive) {
            // Newly posted requests go before an acknowledgement that is already due.
            isResponderTurn = false;
            super.wake();
        }
    }

    @Override
    public int transmit(long nowNs, int budgetBytes, TransmitSink sink) {
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
    public boolean mayHaveMore() {
        return sender.hasWork() || receiver.hasWork();
    }

    @Override
    public void awaitPace(long atNs) {
        engine.counters.add(Counter.PACE_STALL);
        awaitTurn(atNs);
    }

    @Override
    public void awaitTurn(long atNs) {
        deadline(TimerKind.PACE, atNs);
    }

    @Override
    public void handle(long nowNs, InboundPacket packet) {
        if (!engine.admission.admits(this, packet)
                || engine.congestion.takes(this, nowNs, packet)) {
            return;
        }
        working++;
        if (!isEstablished && type() != QueuePairType.UD) {
            establish();
        }
        if (packet.view().opcode().operation().isResponse()) {
            sender.handleResponse(nowNs, packet);
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
        if (state() == QueuePairState.READY_TO_RECEIVE) {
            engine.counters.add(Counter.ESTABLISHED_BY_PACKET);
            tell(
                    AsyncEvent.Type.COMMUNICATION_ESTABLISHED,
                    this + " took its first packet before it was ready to send");
        }
    }

    @Override
    public void handleTimeout(long nowNs, long heardNs) {
        working++;
        if (deadlines().take(TimerKind.ACKNOWLEDGE, nowNs)) {
            receiver.acknowledgementDue();
        }
        if (deadlines().take(TimerKind.PACE, nowNs)) {
            wake();
        }
        if (deadlines().take(TimerKind.RECEIVER_READY, nowNs)) {
            sender.receiverMayBeReady();
        }
        if (deadlines().take(TimerKind.RETRANSMIT, heardNs)) {
            sender.timedOut(nowNs);
        }
        settle();
        long nextNs = deadlines().next(nowNs, heardNs);
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

    private boolean canFail() {
        return state() != QueuePairState.ERROR && state() != QueuePairState.RESET;
    }

    @Override
    public void checkDrained(boolean isDone) {
        if (!isDone || wasDrained || state() != QueuePairState.SEND_QUEUE_DRAINED) {
            return;
        }
        wasDrained = true;
        engine.counters.add(Counter.DRAINED);
        if (settings().drainNotify()) {
            tell(AsyncEvent.Type.SEND_QUEUE_DRAINED, this + " has drained");
        }
    }

    @Override
    public void fail() {
        enter(QueuePairState.ERROR);
    }

    @Override
    public void failAfterAnswering() {
        fail(false);
    }

    private void fail(boolean isSilent) {
        boolean isFirst = state() != QueuePairState.ERROR;
        state(QueuePairState.ERROR);
        deadlines().stop();
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
            tell(
                    AsyncEvent.Type.LAST_WORK_REQUEST,
                    this + " failed and takes nothing more from " + shared);
        }
    }

    @Override
    public void failSends() {
        if (state() != QueuePairState.READY_TO_SEND) {
            fail();
            return;
        }
        engine.counters.add(Counter.SEND_QUEUE_FAILED);
        state(QueuePairState.SEND_QUEUE_ERROR);
        sender.flush(true);
    }

    private void enter(QueuePairState target) {
        QueuePairState from = state();
        if (target == QueuePairState.ERROR) {
            fail(true);
            return;
        }
        state(target);
        switch (target) {
            case RESET -> resetParts();
            case READY_TO_RECEIVE -> receiver.startAt(settings().firstReceivePsn());
            case READY_TO_SEND -> {
                if (from == QueuePairState.READY_TO_RECEIVE) {
                    sender.startAt(settings().firstSendPsn());
                }
                wake();
            }
            case SEND_QUEUE_DRAINED -> {
                receiver.resize(settings().readsAsResponder());
                wasDrained &= from == target;
                sender.drain();
            }
            default -> {}
        }
    }

    private void resetParts() {
        settings(settings().afterReset(engine.freshPsn()));
        deadlines().stop();
        engine.timers.remove(this);
        engine.scheduler.remove(this);
        sender.flush(false);
        sender.reset();
        receiver.reset();
        flushReceives(false);
        isEstablished = false;
        wasDrained = false;
        rate(RateControl.of(engine.settings, type(), 1 << settings().mtuShift(), 0));
        reporter.takeLoss();
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

    /// Goes another way from now on.
    void way(Path next) {
        if (path != null) {
            engine.paths.release(path.index());
        }
        path = next;
        lane(next.trafficClass());
    }

    @Override
    public void failOthers(TransportCompletionQueue lost) {
        engine.pairs.failAll(lost, this);
    }

    @Override
    public int lastError() {
        return path == null ? 0 : engine.settings.driver.lastError(path.address().gid());
    }

    @Override
    public void tell(AsyncEvent.Type event, String explanation) {
        engine.events.add(event, number(), explanation);
    }

    @Override
    public void warn(AsyncEvent.Type event, String explanation) {
        engine.events.warn(event, number(), explanation);
    }

    @Override
    public void requireOpen() {
        engine.life.requireOpen();
        if (isClosed()) {
            throw ObjectRules.closed(this);
        }
    }
}
