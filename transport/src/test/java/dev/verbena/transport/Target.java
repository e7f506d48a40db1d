package dev.verbena.transport;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Psn;
import java.util.Set;
import java.util.SplittableRandom;

/// A queue pair under attack, with what its rightful peer knows of it. When an attack has ended it,
/// it is reset and connected again with other sequence numbers.
final class Target {
    static final int READS = 4;

    /// No timer runs out while an attack lasts.
    private static final int TIMEOUT = 16;

    final TransportQueuePair pair;
    final ProtectionDomain domain;
    final AttackFrames.Station peer;
    final int peerNumber;
    final int peerPkey;
    final Set<Access> rights;

    /// What the responder waits for, and what the requester sends next.
    int expectedPsn;

    int sendPsn;

    /// Receive requests that are posted, by the attack's books.
    int receives;

    /// Whether an attack has failed it.
    boolean isBroken;

    private final SplittableRandom random;
    private final QueuePairAttributes first;
    private final QueuePairAttributes second;
    private final QueuePairAttributes third = new QueuePairAttributes();

    Target(
            ProtectionDomain domain,
            CompletionQueue completions,
            AttackFrames.Station peer,
            int mtu,
            int partitionIndex,
            int peerPkey,
            Set<Access> rights,
            SplittableRandom random) {
        this.domain = domain;
        this.peer = peer;
        this.peerPkey = peerPkey;
        this.rights = rights;
        this.random = random;
        this.peerNumber = random.nextInt(16, 0xFF_FFFF);
        pair =
                (TransportQueuePair)
                        domain.queuePair(
                                QueuePairType.RC,
                                o ->
                                        o.completions(completions)
                                                .partitionIndex(partitionIndex)
                                                .access(rights)
                                                .leaveReset());
        first = new QueuePairAttributes().partitionIndex(partitionIndex).port(1).access(rights);
        boolean hasGid =
                domain.device().port(1).linkLayer() == LinkLayer.ETHERNET || peer.gid().low() != 0;
        second =
                new QueuePairAttributes()
                        .address(
                                new Address(
                                        peer.lid(),
                                        peer.gid(),
                                        0,
                                        0,
                                        0,
                                        hasGid ? 64 : 0,
                                        0,
                                        Address.ROCE_PORT))
                        .pathMtu(mtu)
                        .peerQueuePair(peerNumber)
                        .readsAsResponder(READS)
                        .minRnrTimer(1);
        third.timeout(TIMEOUT).retryCount(7).rnrRetry(7).readsAsInitiator(READS);
        connect();
    }

    /// Begins a new connection, whatever became of the old one.
    void reconnect() {
        pair.modify(QueuePairState.RESET, new QueuePairAttributes());
        connect();
    }

    private void connect() {
        // Now and then right before the numbers wrap.
        boolean wraps = random.nextInt(8) == 0;
        expectedPsn = wraps ? Psn.plus(0, -random.nextInt(1, 4)) : random.nextInt(1 << 24);
        sendPsn = random.nextInt(1 << 24);
        pair.modify(QueuePairState.INIT, first);
        pair.modify(QueuePairState.READY_TO_RECEIVE, second.receivePsn(expectedPsn));
        pair.modify(QueuePairState.READY_TO_SEND, third.sendPsn(sendPsn));
        receives = 0;
        isBroken = false;
    }

    /// The peer's packets took so many sequence numbers.
    void took(int packets) {
        expectedPsn = Psn.plus(expectedPsn, packets);
    }
}
