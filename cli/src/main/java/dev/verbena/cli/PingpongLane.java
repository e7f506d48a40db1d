package dev.verbena.cli;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.SharedReceiveQueue;
import org.jspecify.annotations.Nullable;

/// One queue pair of a pingpong and whose turn it is there: the next message leaves when the last
/// one has left and its answer is here.
final class PingpongLane {
    /// The value that `ibv_ud_pingpong` gives its queue pair and shows its peer.
    private static final int QUEUE_KEY = 0x1111_1111;

    /// 537 ms. Usual is 14, 67 ms; with it a run with 16 queue pairs on a busy machine once gave up
    /// while acknowledgements were on the way.
    private static final int TIMEOUT = 17;

    private final QueuePair pair;
    private @Nullable AddressHandle way;
    private int peer;
    private boolean isSending;
    private boolean isWaiting = true;

    private PingpongLane(QueuePair pair) {
        this.pair = pair;
    }

    static PingpongLane of(
            ProtectionDomain domain,
            CompletionQueue completions,
            @Nullable SharedReceiveQueue shared,
            PingpongPlan plan) {
        return new PingpongLane(
                domain.queuePair(
                        plan.type().service(),
                        it -> {
                            it.completions(completions).sendDepth(1).queueKey(QUEUE_KEY);
                            if (shared == null) {
                                it.receiveDepth(plan.rxDepth());
                            } else {
                                it.sharedReceives(shared);
                            }
                        }));
    }

    int number() {
        return pair.number();
    }

    PingpongAddress address() {
        return PingpongAddress.of(pair.endpoint());
    }

    ReceiveBatch receives() {
        return pair.receives();
    }

    void connect(PingpongAddress to, int mtu) {
        Endpoint there = to.toEndpoint(pair.endpoint(), mtu);
        peer = there.queuePair();
        switch (pair.type()) {
            case RC ->
                    pair.connect(
                            there,
                            it ->
                                    it.pathMtu(mtu)
                                            .timeout(TIMEOUT)
                                            .readsAsInitiator(1)
                                            .readsAsResponder(1));
            case UC -> pair.connect(there, it -> it.pathMtu(mtu));
            case UD -> {
                way = pair.domain().addressHandle(Address.to(there));
                pair.activate();
            }
        }
    }

    void send(MemoryRegion region, long offset, long length) {
        SendBatch batch = pair.sends().send().local(region, offset, length).signaled();
        AddressHandle datagrams = way;
        if (datagrams != null) {
            batch.to(datagrams, peer, QUEUE_KEY);
        }
        if (!batch.post()) {
            throw new PerfException(this + ": its send queue is full; this is a defect of verbena");
        }
        isSending = true;
        isWaiting = true;
    }

    void sent() {
        isSending = false;
    }

    void received() {
        isWaiting = false;
    }

    boolean isIdle() {
        return !isSending && !isWaiting;
    }

    @Override
    public String toString() {
        return pair.type() == QueuePairType.RC
                ? "qp 0x%x".formatted(pair.number())
                : "qp 0x%x (%s, which may lose messages)"
                        .formatted(pair.number(), pair.type().title());
    }
}
