package dev.verbena.transport;

import dev.verbena.transport.carrier.Path;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.pair.PairSettings;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.path.Subnet;
import dev.verbena.transport.schedule.RateControl;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QueuePairAttribute;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.spi.AddressRules;
import dev.verbena.verbs.spi.AttributeRules;
import dev.verbena.verbs.spi.ReadySteps;
import dev.verbena.verbs.spi.StateRules;
import java.util.function.Consumer;

/// Attributes of a queue pair: checked against the device, put in force, read back.
final class PairChange {
    private static final int DEFAULT_TIMEOUT = 14;
    private static final int DEFAULT_RETRIES = 7;
    private static final int DEFAULT_RNR_TIMER = 12;

    private PairChange() {}

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
        requireFits(pair, engine.settings.port.now().partitionKey(all.partitionIndex()), peer);
        if (pair.state() == QueuePairState.RESET || pair.state() == QueuePairState.INIT) {
            // In another state the steps refuse, and what was agreed stays.
            boolean isSelective = (offers(pair, engine) & peer.offers()) != 0;
            pair.settings(pair.settings().withSelective(isSelective));
        }
        ReadySteps.take(pair, all, changed, pair::modify);
    }

    /// What it does beyond the specification, if the peer offers it too.
    static int offers(TransportQueuePair pair, Engine engine) {
        boolean isSelective = pair.type() == QueuePairType.RC && engine.settings.selectiveRepeat;
        return isSelective ? Endpoint.SELECTIVE_REPEAT : 0;
    }

    /// Makes the three transitions that make datagrams possible.
    static void activate(
            TransportQueuePair pair, Engine engine, Consumer<QueuePairAttributes> changes) {
        ReadySteps.requireActivates(pair);
        QueuePairAttributes changed = new QueuePairAttributes();
        changes.accept(changed);
        QueuePairAttributes all =
                new QueuePairAttributes()
                        .partitionIndex(pair.settings().partitionIndex())
                        .port(1)
                        .queueKey(pair.settings().queueKey())
                        .sendPsn(pair.settings().firstSendPsn())
                        .with(changed);
        ReadySteps.requireTaken(pair, changed.set());
        check(pair, engine, all);
        ReadySteps.take(pair, all, changed, pair::modify);
    }

    /// Refuses settings whose only symptom would be packets without a reply.
    private static void requireFits(TransportQueuePair pair, int partitionKey, Endpoint peer) {
        AttributeRules.requireSameType(pair, peer);
        AttributeRules.requireSamePartition(pair, partitionKey, peer);
    }

    private static QueuePairAttributes ordinary(
            TransportQueuePair pair, Engine engine, Endpoint peer) {
        int mtu = Math.min(engine.settings.port.now().attributes().activeMtu(), peer.mtu());
        int reads = Math.min(engine.settings.limits.readsAsInitiator(), peer.reads());
        return new QueuePairAttributes()
                .partitionIndex(pair.settings().partitionIndex())
                .port(1)
                .access(pair.settings().access())
                .address(Subnet.shortest(engine.settings.port.now(), Address.to(peer)))
                .pathMtu(Integer.highestOneBit(mtu))
                .peerQueuePair(peer.queuePair())
                .receivePsn(peer.psn())
                .readsAsResponder(pair.settings().readsAsResponder())
                .minRnrTimer(DEFAULT_RNR_TIMER)
                .sendPsn(pair.settings().firstSendPsn())
                .timeout(DEFAULT_TIMEOUT)
                .retryCount(DEFAULT_RETRIES)
                .rnrRetry(QueuePairCore.RETRY_FOREVER)
                .readsAsInitiator(reads);
    }

    /// Checks the rules that depend on the device, which the table of transitions cannot check.
    static void check(TransportQueuePair pair, Engine engine, QueuePairAttributes values) {
        DeviceSettings settings = engine.settings;
        StateRules.requireCurrentState(pair, values, pair.state());
        AttributeRules.check(pair, values, new Port(settings), settings.limits);
        if (values.has(QueuePairAttribute.ADDRESS)) {
            Address address = values.address();
            LinkLayer link = settings.port.now().attributes().linkLayer();
            Gid ours = settings.port.now().gid(address.sourceGid());
            AddressRules.requireSameVersion(pair, link, ours, address.gid());
        }
    }

    /// What the port of the device has.
    private record Port(DeviceSettings settings) implements AttributeRules.PortLimits {
        @Override
        public int partitionKeys() {
            return settings.port.now().partitionKeys().size();
        }

        @Override
        public int activeMtu() {
            return settings.port.now().attributes().activeMtu();
        }

        @Override
        public int gidCount() {
            return settings.port.now().gids().size();
        }
    }

    static void apply(TransportQueuePair pair, Engine engine, QueuePairAttributes values) {
        PairSettings next = pair.settings().with(values);
        if (values.has(QueuePairAttribute.PARTITION_INDEX)) {
            int key = engine.settings.port.now().partitionKey(values.partitionIndex());
            next = next.withPartitionKey(key);
        }
        pair.settings(next);
        if (values.has(QueuePairAttribute.ADDRESS)) {
            pair.way(engine.paths.acquire(values.address()));
            pair.endNotices();
            pair.wake();
        }
        boolean counts = engine.settings.control != null && values.has(QueuePairAttribute.PATH_MTU);
        if (counts || values.has(QueuePairAttribute.RATE_LIMIT)) {
            int mtu = 1 << next.mtuShift();
            pair.limit(RateControl.of(engine.settings, pair.type(), mtu, next.rateLimit()));
        }
    }

    static QueuePairAttributes query(TransportQueuePair pair) {
        QueuePairAttributes all = pair.settings().attributes().currentState(pair.state());
        Path path = pair.path;
        return path == null ? all : all.address(path.address());
    }
}
