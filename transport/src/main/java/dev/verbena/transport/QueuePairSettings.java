package dev.verbena.transport;

import dev.verbena.transport.carrier.Path;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.schedule.RateControl;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QueuePairAttribute;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.spi.AddressRules;
import dev.verbena.verbs.spi.AttributeRules;
import dev.verbena.verbs.spi.ReadySteps;
import dev.verbena.verbs.spi.StateRules;
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
        ReadySteps.requireConnects(pair);
        QueuePairAttributes changed = new QueuePairAttributes();
        changes.accept(changed);
        QueuePairAttributes all = ordinary(pair, engine, peer).with(changed);
        ReadySteps.requireTaken(pair, changed.set());
        check(pair, engine, all);
        requireFits(pair, engine.settings.partitionKeys.get(all.partitionIndex()), peer);
        ReadySteps.take(pair, all, changed, pair::modify);
    }

    /// Makes the three transitions that make datagrams possible.
    static void activate(
            TransportQueuePair pair, Engine engine, Consumer<QueuePairAttributes> changes) {
        ReadySteps.requireActivates(pair);
        QueuePairAttributes changed = new QueuePairAttributes();
        changes.accept(changed);
        QueuePairAttributes all =
                new QueuePairAttributes()
                        .partitionIndex(pair.partitionIndex)
                        .port(1)
                        .queueKey(pair.queueKey)
                        .sendPsn(pair.firstSendPsn)
                        .with(changed);
        ReadySteps.requireTaken(pair, changed.set());
        check(pair, engine, all);
        ReadySteps.take(pair, all, changed, pair::modify);
    }

    /// Refuses settings whose only symptom would be packets without a reply.
    private static void requireFits(TransportQueuePair pair, int partitionKey, Endpoint peer) {
        AttributeRules.requireSameType(pair, peer);
        if (!Pkey.match(partitionKey, peer.partitionKey())) {
            throw AttributeRules.otherPartition(pair, partitionKey, peer);
        }
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
        StateRules.requireCurrentState(pair, values, pair.state());
        AttributeRules.checkPort(pair, values, new Port(settings));
        if (values.has(QueuePairAttribute.ADDRESS)) {
            Address address = values.address();
            if (address.gid().isMulticast()) {
                throw AttributeRules.manyPeers(pair, address.gid() + " is a multicast group");
            }
            LinkLayer link = settings.port.linkLayer();
            Gid ours = settings.gids.get(address.sourceGid());
            AddressRules.requireSameVersion(pair, link, ours, address.gid());
        }
        if (values.has(QueuePairAttribute.QUEUE_KEY)) {
            requireShowable(pair, values.queueKey());
        }
        AttributeRules.checkReads(pair, values, settings.limits);
    }

    /// What the port of the device has.
    private record Port(DeviceSettings settings) implements AttributeRules.PortLimits {
        @Override
        public int partitionKeys() {
            return settings.partitionKeys.size();
        }

        @Override
        public int activeMtu() {
            return settings.port.activeMtu();
        }

        @Override
        public int gidCount() {
            return settings.gids.size();
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
}
