package dev.verbena.conformance;

import static dev.verbena.verbs.QueuePairState.ERROR;
import static dev.verbena.verbs.QueuePairState.INIT;
import static dev.verbena.verbs.QueuePairState.READY_TO_RECEIVE;
import static dev.verbena.verbs.QueuePairState.READY_TO_SEND;
import static dev.verbena.verbs.QueuePairState.SEND_QUEUE_DRAINED;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairAttribute;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairTransitions;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// Brings a queue pair to any state, one transition at a time, with only the required attributes.
final class Ladder {
    /// A send sequence number that no test would meet by chance.
    static final int SEND_PSN = 0x12_3456;

    private final QueuePair pair;
    private final Endpoint peer;

    /// A pair that is in `RESET`, and the peer that it is to have.
    Ladder(QueuePair pair, Endpoint peer) {
        this.pair = pair;
        this.peer = peer;
    }

    QueuePair pair() {
        return pair;
    }

    /// Every state that a program can bring a pair to; `SEND_QUEUE_ERROR` comes by itself.
    static List<QueuePairState> reachable() {
        return List.of(
                QueuePairState.RESET,
                INIT,
                READY_TO_RECEIVE,
                READY_TO_SEND,
                SEND_QUEUE_DRAINED,
                ERROR);
    }

    Ladder to(QueuePairState state) {
        List<QueuePairState> steps =
                switch (state) {
                    case RESET -> List.of();
                    case INIT -> List.of(INIT);
                    case READY_TO_RECEIVE -> List.of(INIT, READY_TO_RECEIVE);
                    case READY_TO_SEND -> List.of(INIT, READY_TO_RECEIVE, READY_TO_SEND);
                    case SEND_QUEUE_DRAINED ->
                            List.of(INIT, READY_TO_RECEIVE, READY_TO_SEND, SEND_QUEUE_DRAINED);
                    case ERROR -> List.of(INIT, ERROR);
                    case SEND_QUEUE_ERROR ->
                            throw new IllegalArgumentException("no program can ask for " + state);
                };
        steps.forEach(this::step);
        return this;
    }

    /// One transition, with exactly the required attributes.
    void step(QueuePairState target) {
        QueuePairTransitions.Row row =
                Objects.requireNonNull(
                        QueuePairTransitions.find(pair.type(), pair.state(), target));
        modify(target, row.required());
    }

    void modify(QueuePairState target, Set<QueuePairAttribute> attributes) {
        QueuePairState from = pair.state();
        pair.modify(target, given -> attributes.forEach(attribute -> set(given, attribute, from)));
    }

    private void set(QueuePairAttributes given, QueuePairAttribute attribute, QueuePairState from) {
        switch (attribute) {
            case CURRENT_STATE -> given.currentState(from);
            case DRAIN_NOTIFY -> given.drainNotify(true);
            case ACCESS -> given.access(Set.of(Access.REMOTE_READ, Access.REMOTE_WRITE));
            case PARTITION_INDEX -> given.partitionIndex(0);
            case PORT -> given.port(1);
            case QUEUE_KEY -> given.queueKey(0x1111_1111);
            case ADDRESS -> given.address(Address.to(peer));
            case PATH_MTU -> given.pathMtu(256);
            case TIMEOUT -> given.timeout(13);
            case RETRY_COUNT -> given.retryCount(5);
            case RNR_RETRY -> given.rnrRetry(6);
            case RECEIVE_PSN -> given.receivePsn(peer.psn());
            case READS_AS_INITIATOR -> given.readsAsInitiator(3);
            case MIN_RNR_TIMER -> given.minRnrTimer(9);
            case SEND_PSN -> given.sendPsn(SEND_PSN);
            case READS_AS_RESPONDER -> given.readsAsResponder(4);
            case PEER_QUEUE_PAIR -> given.peerQueuePair(peer.queuePair());
            case RATE_LIMIT -> given.rateLimit(0);
        }
    }
}
