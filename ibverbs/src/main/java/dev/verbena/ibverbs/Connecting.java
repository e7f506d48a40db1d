package dev.verbena.ibverbs;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.spi.AttributeRules;
import dev.verbena.verbs.spi.ReadySteps;
import java.util.function.Consumer;

/// The three transitions that make a queue pair ready, with default settings where the caller has
/// none.
final class Connecting {
    private static final int TIMEOUT = 14;
    private static final int RETRIES = 7;
    private static final int RNR_TIMER = 12;

    private Connecting() {}

    static void connect(IbvQueuePair pair, Endpoint peer, Consumer<QueuePairAttributes> changes) {
        ReadySteps.requireConnects(pair);
        QueuePairAttributes changed = new QueuePairAttributes();
        changes.accept(changed);
        QueuePairAttributes all = ordinary(pair, peer).with(changed);
        ReadySteps.requireTaken(pair, changed.set());
        check(pair, all);
        requireFits(pair, all.partitionIndex(), peer);
        ReadySteps.take(pair, all, changed, pair::modify);
    }

    static void activate(IbvQueuePair pair, Consumer<QueuePairAttributes> changes) {
        ReadySteps.requireActivates(pair);
        QueuePairAttributes changed = new QueuePairAttributes();
        changes.accept(changed);
        QueuePairAttributes all =
                new QueuePairAttributes()
                        .partitionIndex(pair.known().partitionIndex())
                        .port(1)
                        .queueKey(pair.known().queueKey())
                        .sendPsn(pair.firstSendPsn())
                        .with(changed);
        ReadySteps.requireTaken(pair, changed.set());
        check(pair, all);
        ReadySteps.take(pair, all, changed, pair::modify);
    }

    private static QueuePairAttributes ordinary(IbvQueuePair pair, Endpoint peer) {
        IbvContext context = pair.context();
        int mtu = Math.min(context.activeMtu(), peer.mtu());
        int reads = Math.min(context.limits.readsAsInitiator(), peer.reads());
        return new QueuePairAttributes()
                .partitionIndex(pair.known().partitionIndex())
                .port(1)
                .access(pair.known().access())
                .address(address(context, peer))
                .pathMtu(Integer.highestOneBit(mtu))
                .peerQueuePair(peer.queuePair())
                .receivePsn(peer.psn())
                .readsAsResponder(pair.readsAsResponder())
                .minRnrTimer(RNR_TIMER)
                .sendPsn(pair.firstSendPsn())
                .timeout(TIMEOUT)
                .retryCount(RETRIES)
                .rnrRetry(RETRIES)
                .readsAsInitiator(reads);
    }

    /// Within a subnet of InfiniBand packets find their way by LID, and a GRH would be 40 bytes for
    /// nothing. On Ethernet the GID is the address.
    private static Address address(IbvContext context, Endpoint peer) {
        Gid ours = context.gids.getFirst().gid();
        boolean isLocal =
                !context.isEthernet
                        && (ours.high() == peer.gid().high() || peer.gid().equals(Gid.NONE));
        return isLocal ? Address.to(peer).withGid(Gid.NONE) : Address.to(peer);
    }

    /// Refuses settings whose only symptom would be packets without a reply.
    private static void requireFits(IbvQueuePair pair, int partitionIndex, Endpoint peer) {
        AttributeRules.requireSameType(pair, peer);
        int key = pair.context().partitionKey(partitionIndex);
        AttributeRules.requireSamePartition(pair, key, peer);
    }

    /// Checks the rules that depend on the device, which the table of transitions cannot check. The
    /// device itself would refuse all of them with the same error.
    static void check(IbvQueuePair pair, QueuePairAttributes values) {
        IbvContext context = pair.context();
        AttributeRules.check(pair, values, context, context.limits);
    }
}
