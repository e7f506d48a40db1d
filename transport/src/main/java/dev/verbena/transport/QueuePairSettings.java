package dev.verbena.transport;

import dev.verbena.transport.carrier.Path;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.path.AddressRules;
import dev.verbena.transport.schedule.RateControl;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QueuePairAttribute;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairTransitions;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.WrongStateException;
import dev.verbena.wire.Pkey;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/// Attributes of a queue pair: checked against the device, put in force, read back.
final class QueuePairSettings {
    private static final int DEFAULT_TIMEOUT = 14;
    private static final int DEFAULT_RETRIES = 7;
    private static final int DEFAULT_RNR_TIMER = 12;

    /// The unit of the timeout (IBA 9.7.6.1.3): 4.096 µs.
    private static final long TIMEOUT_UNIT_NS = 4096;

    private QueuePairSettings() {}

    /// Makes the three transitions that lead to a connection.
    static void connect(
            TransportQueuePair pair,
            Engine engine,
            Endpoint peer,
            Consumer<QueuePairAttributes> changes) {
        if (pair.type() == QueuePairType.UD) {
            throw new InvalidRequestException(
                    pair.toString(),
                    "datagrams have no peer to connect to",
                    "use activate(), and name the receiver of each request with to()");
        }
        QueuePairAttributes changed = new QueuePairAttributes();
        changes.accept(changed);
        QueuePairAttributes all = ordinary(pair, engine, peer).with(changed);
        requireTaken(pair, changed.set());
        check(pair, engine, all);
        requireFits(pair, engine.settings.partitionKeys.get(all.partitionIndex()), peer);
        stepUp(pair, all, changed);
    }

    /// Makes the three transitions that make datagrams possible.
    static void activate(
            TransportQueuePair pair, Engine engine, Consumer<QueuePairAttributes> changes) {
        if (pair.type() != QueuePairType.UD) {
            throw new InvalidRequestException(
                    pair.toString(), pair.type() + " needs a peer", "use connect(endpoint)");
        }
        QueuePairAttributes changed = new QueuePairAttributes();
        changes.accept(changed);
        QueuePairAttributes all =
                new QueuePairAttributes()
                        .partitionIndex(pair.partitionIndex)
                        .port(1)
                        .queueKey(pair.queueKey)
                        .sendPsn(pair.firstSendPsn)
                        .with(changed);
        requireTaken(pair, changed.set());
        check(pair, engine, all);
        stepUp(pair, all, changed);
    }

    private static void stepUp(
            TransportQueuePair pair, QueuePairAttributes all, QueuePairAttributes changed) {
        if (pair.state() == QueuePairState.RESET) {
            step(pair, QueuePairState.INIT, all, changed);
        }
        step(pair, QueuePairState.READY_TO_RECEIVE, all, changed);
        step(pair, QueuePairState.READY_TO_SEND, all, changed);
    }

    /// Refuses settings whose only symptom would be packets without a reply.
    private static void requireFits(TransportQueuePair pair, int partitionKey, Endpoint peer) {
        if (peer.type() != pair.type()) {
            throw new InvalidRequestException(
                    pair.toString(),
                    "it is of type %s and the peer's of type %s"
                            .formatted(pair.type(), peer.type()),
                    "make both of the same type");
        }
        // IBA 10.9.3: packets of another partition are dropped without an answer.
        if (!Pkey.match(partitionKey, peer.partitionKey())) {
            throw new InvalidRequestException(
                    pair.toString(),
                    "partition key 0x%04x does not match the peer's 0x%04x"
                            .formatted(partitionKey, peer.partitionKey()),
                    "choose a partition that both are in, one of them as a full member, with"
                            + " QueuePairOptions.partitionIndex");
        }
    }

    private static void requireTaken(TransportQueuePair pair, Set<QueuePairAttribute> given) {
        EnumSet<QueuePairAttribute> unused = EnumSet.noneOf(QueuePairAttribute.class);
        unused.addAll(given);
        for (var row : QueuePairTransitions.rows()) {
            if (row.type() == pair.type()
                    && !row.byItself()
                    && row.from() != row.to()
                    && (row.to() == QueuePairState.INIT
                            || row.from() == QueuePairState.INIT
                            || row.from() == QueuePairState.READY_TO_RECEIVE)) {
                unused.removeAll(row.required());
                unused.removeAll(row.optional());
            }
        }
        if (!unused.isEmpty()) {
            throw new InvalidRequestException(
                    pair.toString(), "connecting does not take " + unused, "leave them out");
        }
    }

    private static void step(
            TransportQueuePair pair,
            QueuePairState target,
            QueuePairAttributes all,
            QueuePairAttributes changed) {
        var row = QueuePairTransitions.find(pair.type(), pair.state(), target);
        if (row == null) {
            throw new WrongStateException(
                    pair.toString(),
                    "it is in " + pair.state().symbol() + " and cannot be connected",
                    "connect a new queue pair, or move this one to RESET first");
        }
        EnumSet<QueuePairAttribute> wanted = EnumSet.noneOf(QueuePairAttribute.class);
        wanted.addAll(row.optional());
        wanted.retainAll(changed.set());
        wanted.addAll(row.required());
        pair.modify(target, all.only(wanted));
    }

    private static QueuePairAttributes ordinary(
            TransportQueuePair pair, Engine engine, Endpoint peer) {
        int mtu = Math.min(engine.settings.port.activeMtu(), peer.mtu());
        int reads = Math.min(engine.settings.limits.readsAsInitiator(), peer.reads());
        return new QueuePairAttributes()
                .partitionIndex(pair.partitionIndex)
                .port(1)
                .access(rights(pair.accessBits))
                .address(address(engine.settings, peer))
                .pathMtu(Integer.highestOneBit(mtu))
                .peerQueuePair(peer.queuePair())
                .receivePsn(peer.psn())
                .readsAsResponder(pair.readsAsResponder)
                .minRnrTimer(DEFAULT_RNR_TIMER)
                .sendPsn(pair.firstSendPsn)
                .timeout(DEFAULT_TIMEOUT)
                .retryCount(DEFAULT_RETRIES)
                .rnrRetry(QueuePairCore.RETRY_FOREVER)
                .readsAsInitiator(reads);
    }

    /// IBA 8 (routing): within a subnet packets find their way by LID, and a GRH would be 40 bytes
    /// for nothing. On Ethernet the GID is the address.
    private static Address address(DeviceSettings settings, Endpoint peer) {
        Gid ours = settings.gids.getFirst();
        boolean isLocal =
                settings.port.linkLayer() == LinkLayer.INFINIBAND
                        && (ours.high() == peer.gid().high()
                                || ours.equals(Gid.NONE)
                                || peer.gid().equals(Gid.NONE));
        return isLocal ? Address.to(peer).withGid(Gid.NONE) : Address.to(peer);
    }

    /// Checks the rules that depend on the device, which the table of transitions cannot check.
    static void check(TransportQueuePair pair, Engine engine, QueuePairAttributes values) {
        DeviceSettings settings = engine.settings;
        DeviceLimits limits = settings.limits;
        if (values.has(QueuePairAttribute.CURRENT_STATE) && values.currentState() != pair.state()) {
            throw new WrongStateException(
                    pair.toString(),
                    "it is in " + pair.state().symbol(),
                    "it was taken to be in " + values.currentState().symbol());
        }
        if (values.has(QueuePairAttribute.PORT)) {
            most(pair, "port", values.port(), 1);
        }
        if (values.has(QueuePairAttribute.PARTITION_INDEX)) {
            int count = settings.partitionKeys.size();
            most(pair, "partition index", values.partitionIndex(), count - 1);
        }
        if (values.has(QueuePairAttribute.PATH_MTU)) {
            most(pair, "path mtu", values.pathMtu(), settings.port.activeMtu());
        }
        if (values.has(QueuePairAttribute.ADDRESS)) {
            int count = settings.gids.size();
            most(pair, "source gid index", values.address().sourceGid(), count - 1);
            requireOnePeer(pair, values.address().gid());
            AddressRules.requireSameVersion(pair, settings, values.address());
        }
        if (values.has(QueuePairAttribute.QUEUE_KEY)) {
            requireShowable(pair, values.queueKey());
        }
        if (values.has(QueuePairAttribute.READS_AS_INITIATOR)) {
            int limit = limits.readsAsInitiator();
            most(pair, "reads as initiator", values.readsAsInitiator(), limit);
        }
        if (values.has(QueuePairAttribute.READS_AS_RESPONDER)) {
            int limit = limits.readsAsResponder();
            most(pair, "reads as responder", values.readsAsResponder(), limit);
        }
    }

    private static void requireOnePeer(TransportQueuePair pair, Gid peer) {
        if (peer.isMulticast()) {
            throw new InvalidRequestException(
                    pair.toString(),
                    peer + " is a multicast group",
                    "a connection has one peer; send datagrams to groups");
        }
    }

    /// IBA 10.2.5: for a sender, a key with the highest bit means its own key, so no sender could
    /// send this one.
    private static void requireShowable(TransportQueuePair pair, int queueKey) {
        if (queueKey < 0) {
            throw new InvalidRequestException(
                    pair.toString(),
                    "queue key 0x%08x has the highest bit set".formatted(queueKey),
                    "use one below 0x80000000");
        }
    }

    static void apply(TransportQueuePair pair, Engine engine, QueuePairAttributes values) {
        for (QueuePairAttribute attribute : values.set()) {
            switch (attribute) {
                case CURRENT_STATE, PORT -> {}
                case QUEUE_KEY -> pair.queueKey = values.queueKey();
                case DRAIN_NOTIFY -> pair.drainNotify = values.drainNotify();
                case ACCESS -> pair.accessBits = Access.bits(values.access());
                case PARTITION_INDEX -> {
                    pair.partitionIndex = values.partitionIndex();
                    pair.partitionKey = engine.settings.partitionKeys.get(pair.partitionIndex);
                }
                case ADDRESS -> {
                    pair.way(engine.paths.acquire(values.address()));
                    pair.endNotices();
                    pair.wake();
                }
                case PATH_MTU -> pair.mtuShift = Integer.numberOfTrailingZeros(values.pathMtu());
                case TIMEOUT -> {
                    pair.timeout = (byte) values.timeout();
                    pair.timeoutNs = pair.timeout == 0 ? 0 : TIMEOUT_UNIT_NS << pair.timeout;
                }
                case RETRY_COUNT -> pair.retryCount = (byte) values.retryCount();
                case RNR_RETRY -> pair.rnrRetry = (byte) values.rnrRetry();
                case RECEIVE_PSN -> pair.firstReceivePsn = values.receivePsn();
                case READS_AS_INITIATOR -> pair.readsAsInitiator = values.readsAsInitiator();
                case MIN_RNR_TIMER -> pair.minRnrTimer = (byte) values.minRnrTimer();
                case SEND_PSN -> pair.firstSendPsn = values.sendPsn();
                case READS_AS_RESPONDER -> pair.readsAsResponder = values.readsAsResponder();
                case PEER_QUEUE_PAIR -> pair.peer = values.peerQueuePair();
                case RATE_LIMIT -> {
                    pair.rateLimit = values.rateLimit();
                    pair.limit(RateControl.of(engine.settings, pair.type(), pair.rateLimit));
                }
            }
        }
    }

    static QueuePairAttributes query(TransportQueuePair pair) {
        QueuePairAttributes all =
                new QueuePairAttributes()
                        .currentState(pair.state())
                        .drainNotify(pair.drainNotify)
                        .access(rights(pair.accessBits))
                        .partitionIndex(pair.partitionIndex)
                        .port(1)
                        .pathMtu(1 << pair.mtuShift)
                        .timeout(pair.timeout)
                        .retryCount(pair.retryCount)
                        .rnrRetry(pair.rnrRetry)
                        .receivePsn(pair.firstReceivePsn)
                        .readsAsInitiator(pair.readsAsInitiator)
                        .minRnrTimer(pair.minRnrTimer)
                        .sendPsn(pair.firstSendPsn)
                        .readsAsResponder(pair.readsAsResponder)
                        .peerQueuePair(pair.peer)
                        .rateLimit(pair.rateLimit)
                        .queueKey(pair.queueKey);
        Path path = pair.path;
        return path == null ? all : all.address(path.address());
    }

    private static Set<Access> rights(int bits) {
        EnumSet<Access> rights = EnumSet.allOf(Access.class);
        rights.removeIf(right -> (right.bit() & bits) == 0);
        return rights;
    }

    private static void most(TransportQueuePair pair, String what, int value, int limit) {
        if (value > limit) {
            throw new InvalidRequestException(
                    pair.toString(), what + " " + value + " is too large", "the most is " + limit);
        }
    }
}
