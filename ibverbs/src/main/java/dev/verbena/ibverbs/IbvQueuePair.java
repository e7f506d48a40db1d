package dev.verbena.ibverbs;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairOptions;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairTransitions;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WindowType;
import dev.verbena.verbs.spi.ObjectRules;
import dev.verbena.verbs.spi.StateRules;
import java.lang.foreign.Arena;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A queue pair: that of the device, its posted requests, and its attributes.
final class IbvQueuePair implements QueuePair {
    private static final int PSN_LIMIT = 1 << 24;

    private final IbvDomain domain;
    private final IbvContext context;
    private final QueuePairType type;
    private final IbvCompletionQueue sendQueue;
    private final IbvCompletionQueue receiveQueue;
    private final @Nullable IbvSharedReceives shared;
    private final long pair;
    private final int number;
    private final boolean isSignalAll;
    final ObjectGuard guard = new ObjectGuard();
    final RequestRing sends;
    final RequestRing receives;
    private final IbvSendBatch sendBatch;
    private final IbvReceiveBatch receiveBatch;
    private final MulticastGroups groups;
    final Set<IbvWindow> windows = new LinkedHashSet<>();

    /// All attributes that were set, with the initial values.
    private QueuePairAttributes known = new QueuePairAttributes();

    private int firstSendPsn = Psns.next();

    /// The state that it was brought to; the device may have failed it since.
    private volatile QueuePairState told = QueuePairState.RESET;

    /// The managed connection, if there is one; with the device's lock held.
    @Nullable IbvConnection connection;

    private volatile boolean closed;

    private IbvQueuePair(
            IbvDomain domain, QueuePairType type, QueuePairOptions options, PairMaker made) {
        this.domain = domain;
        this.context = domain.context;
        this.type = type;
        this.sendQueue = domain.deviceImpl().own(options.sendCompletions());
        this.receiveQueue = domain.deviceImpl().own(options.receiveCompletions());
        this.shared = made.shared();
        this.pair = made.address();
        this.number = Memory.getInt(pair + Structs.Qp.NUMBER);
        this.isSignalAll = options.isSignalAll();
        int pieces = context.abilities.pieces();
        this.sends = new RequestRing(options.sendDepth(), pieces);
        this.receives = new RequestRing(shared == null ? options.receiveDepth() : 0, pieces);
        context.owners.add(sends);
        context.owners.add(receives);
        this.sendBatch = new IbvSendBatch(this);
        this.receiveBatch = new IbvReceiveBatch(domain, receives, ReceiveTarget.of(this));
        this.groups = new MulticastGroups(this, pair);
        sendQueue.use();
        receiveQueue.use();
        if (shared != null) {
            shared.use();
        }
        domain.pairs.add(this);
    }

    /// Makes one, and brings it to INIT unless it is to be left; with the device's lock held.
    static IbvQueuePair create(IbvDomain domain, QueuePairType type, QueuePairOptions options) {
        PairMaker made = PairMaker.make(domain, type, options);
        IbvQueuePair pair = new IbvQueuePair(domain, type, options, made);
        try {
            pair.begin(options);
        } catch (RuntimeException refused) {
            pair.close();
            throw refused;
        }
        return pair;
    }

    private void begin(QueuePairOptions options) {
        QueuePairAttributes first =
                new QueuePairAttributes()
                        .partitionIndex(options.partitionIndex())
                        .port(options.port());
        if (type == QueuePairType.UD) {
            first.queueKey(options.queueKey().orElseGet(Psns::queueKey));
        } else {
            first.access(options.access());
        }
        known.with(first).access(options.access());
        known.readsAsResponder(Math.min(PairMaker.READS, context.limits.readsAsResponder()));
        Connecting.check(this, first);
        if (!options.isLeftReset()) {
            modify(QueuePairState.INIT, first);
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

    IbvDomain domainImpl() {
        return domain;
    }

    IbvContext context() {
        return context;
    }

    /// `struct ibv_qp`.
    long structure() {
        return pair;
    }

    QueuePairAttributes known() {
        return known;
    }

    int firstSendPsn() {
        return firstSendPsn;
    }

    int readsAsResponder() {
        return known.readsAsResponder();
    }

    boolean takesSharedReceives() {
        return shared != null;
    }

    boolean isSignalAll() {
        return isSignalAll;
    }

    /// The state that it was brought to, without asking the device.
    QueuePairState told() {
        return told;
    }

    @Override
    public QueuePairState state() {
        context.lock.lock();
        try {
            if (!closed && told != QueuePairState.RESET) {
                told = ask();
            }
            return told;
        } finally {
            context.lock.unlock();
        }
    }

    private QueuePairState ask() {
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(Structs.QpAttr.SIZE, Structs.POINTER).address();
            long init = arena.allocate(Structs.QpInit.SIZE, Structs.POINTER).address();
            int mask = Structs.QpAttr.MASK_STATE;
            int reason = context.verbs.queryQp(pair, attr, mask, init);
            int code = Memory.getInt(attr + Structs.QpAttr.STATE);
            for (QueuePairState state : QueuePairState.values()) {
                if (reason == 0 && state.code() == code) {
                    return state;
                }
            }
            return told;
        }
    }

    @Override
    public Endpoint endpoint() {
        context.lock.lock();
        try {
            requireOpen();
            return new Endpoint(
                    type,
                    context.lid(),
                    context.gids.isEmpty() ? Gid.NONE : context.gids.getFirst().gid(),
                    number,
                    firstSendPsn,
                    context.activeMtu(),
                    known.readsAsResponder(),
                    Address.ROCE_PORT,
                    context.partitionKey(known.partitionIndex()),
                    type == QueuePairType.UD ? known.queueKey() : 0);
        } finally {
            context.lock.unlock();
        }
    }

    @Override
    public void connect(Endpoint peer, Consumer<QueuePairAttributes> changes) {
        context.lock.lock();
        try {
            requireOpen();
            Connecting.connect(this, peer, changes);
        } finally {
            context.lock.unlock();
        }
    }

    @Override
    public void activate(Consumer<QueuePairAttributes> changes) {
        context.lock.lock();
        try {
            requireOpen();
            Connecting.activate(this, changes);
        } finally {
            context.lock.unlock();
        }
    }

    @Override
    public void attachMulticast(Gid group, int lid) {
        context.lock.lock();
        try {
            requireOpen();
            groups.attach(group, lid);
        } finally {
            context.lock.unlock();
        }
    }

    @Override
    public void detachMulticast(Gid group, int lid) {
        context.lock.lock();
        try {
            requireOpen();
            groups.detach(group, lid);
        } finally {
            context.lock.unlock();
        }
    }

    @Override
    public void modify(QueuePairState target, Consumer<QueuePairAttributes> values) {
        QueuePairAttributes attributes = new QueuePairAttributes();
        values.accept(attributes);
        modify(target, attributes);
    }

    void modify(QueuePairState target, QueuePairAttributes attributes) {
        context.lock.lock();
        try {
            requireOpen();
            QueuePairState from = state();
            QueuePairTransitions.check(toString(), type, from, target, attributes.set());
            StateRules.requireCurrentState(this, attributes, from);
            Connecting.check(this, attributes);
            if (target == QueuePairState.RESET) {
                reset(from, attributes);
            } else {
                change(from, target, attributes);
                known.with(attributes);
                told = target;
            }
        } finally {
            context.lock.unlock();
        }
    }

    /// Its connection has ended: posted work is flushed, unless there never was a connection.
    void fail() {
        context.lock.lock();
        try {
            if (!closed && told.answers()) {
                change(told, QueuePairState.ERROR, new QueuePairAttributes());
                told = QueuePairState.ERROR;
            }
        } catch (VerbsException gone) {
            // A device that is gone accepts no changes; its requests have ended with it.
            told = QueuePairState.ERROR;
        } finally {
            context.lock.unlock();
        }
    }

    private void change(
            QueuePairState from, QueuePairState target, QueuePairAttributes attributes) {
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(Structs.QpAttr.SIZE, Structs.POINTER).address();
            int mask = QueuePairCodec.write(attr, target, attributes, context);
            int reason = context.verbs.modifyQp(pair, attr, mask);
            if (reason != 0) {
                throw Errno.refusal(
                        toString(),
                        "to go from " + from.symbol() + " to " + target.symbol(),
                        reason);
            }
        }
    }

    /// Enters the guard to post requests, or says why none can be posted. While a thread is inside,
    /// the queue pair is not reset, so what it posts is not left over for the next connection.
    void enterToSend() {
        if (!guard.enter()) {
            throw ObjectRules.closed(this);
        }
        if (!told.takesSends()) {
            guard.leave();
            throw StateRules.cannotSend(this, told);
        }
    }

    void requireSends() {
        requireOpen();
        StateRules.requireSends(this, told);
    }

    /// Soft-RoCE flushes requests posted to a failed queue pair only when it fails again. They are
    /// posted, whatever becomes of this: a queue pair that was reset since has forgotten them.
    void nudge() {
        if (context.isRxe && told == QueuePairState.ERROR) {
            context.lock.lock();
            try {
                if (!closed && told == QueuePairState.ERROR) {
                    change(QueuePairState.ERROR, QueuePairState.ERROR, new QueuePairAttributes());
                }
            } catch (VerbsException gone) {
                // A device that is gone has ended its requests, and says so by an event.
            } finally {
                context.lock.unlock();
            }
        }
    }

    /// No thread posts meanwhile: the device would keep its requests for the next connection.
    private void reset(QueuePairState from, QueuePairAttributes attributes) {
        boolean isInside = guard.enter();
        try {
            change(from, QueuePairState.RESET, attributes);
            known.with(attributes);
            told = QueuePairState.RESET;
            forget();
        } finally {
            if (isInside) {
                guard.leave();
            }
        }
    }

    /// A late packet of the old connection must not fit the next one, and late completions belong
    /// to no request.
    private void forget() {
        firstSendPsn = Psns.next();
        // First of all: when a place is used again, no late completion leads to it any more.
        context.owners.renew(sends);
        context.owners.renew(receives);
        sends.reset();
        receives.reset();
        known.drainNotify(false);
        context.lingering.look();
    }

    @Override
    public QueuePairAttributes query() {
        context.lock.lock();
        try {
            requireOpen();
            return new QueuePairAttributes().with(known).currentState(state());
        } finally {
            context.lock.unlock();
        }
    }

    @Override
    public SendBatch sends() {
        requireOpen();
        sendBatch.open();
        return sendBatch;
    }

    @Override
    public ReceiveBatch receives() {
        requireOpen();
        if (shared != null) {
            throw StateRules.receivesElsewhere(this, shared);
        }
        receiveBatch.open();
        return receiveBatch;
    }

    @Override
    public int sendRoom() {
        return sends.room();
    }

    @Override
    public int receiveRoom() {
        return shared == null ? receives.room() : 0;
    }

    boolean holds(IbvRegion region) {
        return sends.holds(region) || receives.holds(region);
    }

    boolean holds(IbvAddressHandle way) {
        return sends.holds(way);
    }

    @Override
    public void close() {
        context.lock.lock();
        try {
            if (closed) {
                return;
            }
            if (connection != null) {
                connection.disconnect();
            }
            closed = true;
            guard.shut();
            groups.detachAll();
            releaseWindows();
            domain.deviceImpl().events.fetch();
            context.verbs.destroyQp(pair);
            context.owners.remove(sends);
            context.owners.remove(receives);
            domain.pairs.remove(this);
            sends.reset();
            receives.reset();
            context.lingering.sweep(false);
            sendQueue.unuse();
            receiveQueue.unuse();
            if (shared != null) {
                shared.unuse();
            }
            domain.endIfEmpty();
        } finally {
            context.lock.unlock();
        }
    }

    /// Windows of type 2 belong to the queue pair that bound them, and keep it from ending.
    private void releaseWindows() {
        List<IbvWindow> own = new ArrayList<>(windows);
        for (IbvWindow window : own) {
            if (window.type() == WindowType.TYPE_2) {
                window.replace();
            }
        }
    }

    void requireOpen() {
        domain.deviceImpl().requireOpen();
        if (closed) {
            throw ObjectRules.closed(this);
        }
    }

    @Override
    public String toString() {
        return "qp 0x%x".formatted(number);
    }

    /// First sequence numbers and queue keys that cannot be guessed.
    private static final class Psns {
        private static final SecureRandom RANDOM = new SecureRandom();

        private Psns() {}

        static int next() {
            return RANDOM.nextInt(PSN_LIMIT);
        }

        static int queueKey() {
            return RANDOM.nextInt(Integer.MAX_VALUE);
        }
    }
}
