package dev.verbena.ibverbs;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.QueuePairAttribute;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairTransitions;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.WrongStateException;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/// The three transitions that make a queue pair ready, with default settings where the caller has
/// none.
final class Connecting {
    private static final int TIMEOUT = 14;
    private static final int RETRIES = 7;
    private static final int RNR_TIMER = 12;
    private static final int MEMBERSHIP = 0x8000;

    private Connecting() {}

    static void connect(IbvQueuePair pair, Endpoint peer, Consumer<QueuePairAttributes> changes) {
        if (pair.type() == QueuePairType.UD) {
            throw new InvalidRequestException(
                    pair.toString(),
                    "datagrams have no peer to connect to",
                    "use activate(), and name the receiver of each request with to()");
        }
        QueuePairAttributes changed = new QueuePairAttributes();
        changes.accept(changed);
        QueuePairAttributes all = ordinary(pair, peer).with(changed);
        requireTaken(pair, changed.set());
        check(pair, all);
        requireFits(pair, all.partitionIndex(), peer);
        stepUp(pair, all, changed);
    }

    static void activate(IbvQueuePair pair, Consumer<QueuePairAttributes> changes) {
        if (pair.type() != QueuePairType.UD) {
            throw new InvalidRequestException(
                    pair.toString(), pair.type() + " needs a peer", "use connect(endpoint)");
        }
        QueuePairAttributes changed = new QueuePairAttributes();
        changes.accept(changed);
        QueuePairAttributes all =
                new QueuePairAttributes()
                        .partitionIndex(pair.known().partitionIndex())
                        .port(1)
                        .queueKey(pair.known().queueKey())
                        .sendPsn(pair.firstSendPsn())
                        .with(changed);
        requireTaken(pair, changed.set());
        check(pair, all);
        stepUp(pair, all, changed);
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

    private static void stepUp(
            IbvQueuePair pair, QueuePairAttributes all, QueuePairAttributes changed) {
        if (pair.state() == QueuePairState.RESET) {
            step(pair, QueuePairState.INIT, all, changed);
        }
        step(pair, QueuePairState.READY_TO_RECEIVE, all, changed);
        step(pair, QueuePairState.READY_TO_SEND, all, changed);
    }

    private static void step(
            IbvQueuePair pair,
            QueuePairState target,
            QueuePairAttributes all,
            QueuePairAttributes changed) {
        QueuePairState from = pair.state();
        var row = QueuePairTransitions.find(pair.type(), from, target);
        if (row == null) {
            throw new WrongStateException(
                    pair.toString(),
                    "it is in " + from.symbol() + " and cannot be connected",
                    "connect a new queue pair, or move this one to RESET first");
        }
        EnumSet<QueuePairAttribute> wanted = EnumSet.noneOf(QueuePairAttribute.class);
        wanted.addAll(row.optional());
        wanted.retainAll(changed.set());
        wanted.addAll(row.required());
        pair.modify(target, all.only(wanted));
    }

    /// Refuses settings whose only symptom would be packets without a reply.
    private static void requireFits(IbvQueuePair pair, int partitionIndex, Endpoint peer) {
        if (peer.type() != pair.type()) {
            throw new InvalidRequestException(
                    pair.toString(),
                    "it is of type %s and the peer's of type %s"
                            .formatted(pair.type(), peer.type()),
                    "make both of the same type");
        }
        int key = pair.context().partitionKey(partitionIndex);
        // IBA 10.9.3: the same partition, and one of both a full member.
        boolean match =
                (key | MEMBERSHIP) == (peer.partitionKey() | MEMBERSHIP)
                        && ((key | peer.partitionKey()) & MEMBERSHIP) != 0;
        if (!match) {
            throw new InvalidRequestException(
                    pair.toString(),
                    "partition key 0x%04x does not match the peer's 0x%04x"
                            .formatted(key, peer.partitionKey()),
                    "choose a partition that both are in, one of them as a full member, with"
                            + " QueuePairOptions.partitionIndex");
        }
    }

    private static void requireTaken(IbvQueuePair pair, Set<QueuePairAttribute> given) {
        EnumSet<QueuePairAttribute> unused = EnumSet.noneOf(QueuePairAttribute.class);
        unused.addAll(given);
        for (var row : QueuePairTransitions.rows()) {
            boolean isOnTheWay =
                    row.to() == QueuePairState.INIT
                            || row.from() == QueuePairState.INIT
                            || row.from() == QueuePairState.READY_TO_RECEIVE;
            if (row.type() == pair.type()
                    && !row.byItself()
                    && row.from() != row.to()
                    && isOnTheWay) {
                unused.removeAll(row.required());
                unused.removeAll(row.optional());
            }
        }
        if (!unused.isEmpty()) {
            throw new InvalidRequestException(
                    pair.toString(), "connecting does not take " + unused, "leave them out");
        }
    }

    /// Checks the rules that depend on the device, which the table of transitions cannot check. The
    /// device itself would refuse all of them with the same error.
    static void check(IbvQueuePair pair, QueuePairAttributes values) {
        IbvContext context = pair.context();
        if (values.has(QueuePairAttribute.PORT)) {
            most(pair, "port", values.port(), 1);
        }
        if (values.has(QueuePairAttribute.PARTITION_INDEX)) {
            int last = context.partitionKeys() - 1;
            most(pair, "partition index", values.partitionIndex(), last);
        }
        if (values.has(QueuePairAttribute.PATH_MTU)) {
            most(pair, "path mtu", values.pathMtu(), context.activeMtu());
        }
        if (values.has(QueuePairAttribute.ADDRESS)) {
            int last = context.gids.size() - 1;
            most(pair, "source gid index", values.address().sourceGid(), last);
            requireOnePeer(pair, values.address().gid());
        }
        if (values.has(QueuePairAttribute.QUEUE_KEY) && values.queueKey() < 0) {
            throw new InvalidRequestException(
                    pair.toString(),
                    "queue key 0x%x has its highest bit set".formatted(values.queueKey()),
                    "use one that has not: to senders that bit means their own key");
        }
        if (values.has(QueuePairAttribute.READS_AS_INITIATOR)) {
            int limit = context.limits.readsAsInitiator();
            most(pair, "reads as initiator", values.readsAsInitiator(), limit);
        }
        if (values.has(QueuePairAttribute.READS_AS_RESPONDER)) {
            int limit = context.limits.readsAsResponder();
            most(pair, "reads as responder", values.readsAsResponder(), limit);
        }
    }

    private static void requireOnePeer(IbvQueuePair pair, Gid gid) {
        if (gid.isMulticast()) {
            throw new InvalidRequestException(
                    pair.toString(),
                    gid + " names a group",
                    "a connection has one peer; send datagrams to groups");
        }
    }

    private static void most(IbvQueuePair pair, String what, int value, int limit) {
        if (value > limit) {
            throw new InvalidRequestException(
                    pair.toString(), what + " " + value + " is too large", "the most is " + limit);
        }
    }
}
