package dev.verbena.transport;

import dev.verbena.transport.reliable.Responder;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairOptions;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Psn;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/// A queue pair under attack, with what its rightful peer knows of it. When an attack has ended it,
/// it is reset and connected again with other sequence numbers.
final class Target {
    static final int READS = 4;

    final TransportQueuePair pair;
    final QueuePairType type;
    final AttackFrames.Node peer;
    final int peerNumber;
    final int peerPkey;
    final int queueKey;

    /// What the receiving half waits for, and what the sending half sends next.
    int expectedPsn;

    int sendPsn;

    /// Receive requests that are posted, by the attack's books.
    int receives;

    /// Whether an attack has failed it.
    boolean isBroken;

    /// Whether it has agreed with its peer to repeat only what is lost.
    boolean isSelective;

    private final SplittableRandom random;
    private final QueuePairAttributes first = new QueuePairAttributes();
    private final QueuePairAttributes second = new QueuePairAttributes();
    private final QueuePairAttributes third = new QueuePairAttributes();

    /// @param partitionIndex 1 makes it a limited member of its partition
    Target(
            DeviceUnderAttack world,
            TransportDomain domain,
            QueuePairType type,
            int host,
            int partitionIndex,
            Set<Access> rights,
            Consumer<QueuePairOptions> more) {
        this.type = type;
        this.peer = world.node(host);
        // Two limited members may not talk, so the peer of one is a full member.
        this.peerPkey =
                partitionIndex == 0
                        ? DeviceUnderAttack.FULL_PKEY
                        : DeviceUnderAttack.LIMITED_PKEY | 0x8000;
        this.random = world.random.split();
        this.peerNumber = random.nextInt(16, 0xFF_FFFF);
        this.queueKey = random.nextInt() >>> 1;
        pair =
                (TransportQueuePair)
                        domain.queuePair(
                                type,
                                o ->
                                        more.accept(
                                                o.completions(world.completions)
                                                        .partitionIndex(partitionIndex)
                                                        .leaveReset()));
        first.partitionIndex(partitionIndex).port(1);
        if (type == QueuePairType.UD) {
            first.queueKey(queueKey);
        } else {
            first.access(rights);
            connectTo(world.path, world.mtu);
        }
        connect();
    }

    private void connectTo(AttackPath path, int mtu) {
        boolean hasGid = path.shape().layer == LinkLayer.ETHERNET || peer.gid().low() != 0;
        second.address(
                        new Address(
                                peer.lid(),
                                peer.gid(),
                                0,
                                0,
                                0,
                                hasGid ? 64 : 0,
                                0,
                                path.peerPort()))
                .pathMtu(mtu)
                .peerQueuePair(peerNumber);
        if (type == QueuePairType.RC) {
            second.readsAsResponder(READS).minRnrTimer(1);
            third.timeout(path.timeout()).retryCount(7).rnrRetry(7).readsAsInitiator(READS);
        }
    }

    /// Begins a new connection, whatever became of the old one.
    void reconnect() {
        pair.modify(QueuePairState.RESET, new QueuePairAttributes());
        connect();
    }

    /// Has agreed with its peer to repeat only what is lost, from now on.
    Target selective() {
        isSelective = true;
        reconnect();
        return this;
    }

    private void connect() {
        // Now and then right before the numbers wrap.
        boolean wraps = random.nextInt(8) == 0;
        expectedPsn = wraps ? Psn.plus(0, -random.nextInt(1, 4)) : random.nextInt(1 << 24);
        sendPsn = random.nextInt(1 << 24);
        pair.modify(QueuePairState.INIT, first);
        if (isSelective) {
            // What the endpoints of both sides say when a program connects by them.
            pair.settings(pair.settings().withSelective(true));
        }
        if (type != QueuePairType.UD) {
            second.receivePsn(expectedPsn);
        }
        pair.modify(QueuePairState.READY_TO_RECEIVE, second);
        pair.modify(QueuePairState.READY_TO_SEND, third.sendPsn(sendPsn));
        receives = 0;
        isBroken = false;
    }

    /// The peer's packets took so many sequence numbers.
    void took(int packets) {
        expectedPsn = Psn.plus(expectedPsn, packets);
    }

    /// The number that a reliable one expects; the others accept any.
    int actualPsn() {
        return pair.receiver() instanceof Responder responder
                ? responder.expectedPsn()
                : expectedPsn;
    }

    /// Whether it could answer this sequence number again.
    boolean remembers(int psn) {
        return ((Responder) pair.receiver()).remembers(psn);
    }
}
