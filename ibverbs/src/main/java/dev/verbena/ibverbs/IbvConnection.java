package dev.verbena.ibverbs;

import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionFailedException.Reason;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WrongStateException;
import dev.verbena.verbs.spi.ConnectionRefusals;
import dev.verbena.verbs.spi.ObjectNames;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A connection: changes the state of the queue pair on events of the manager.
///
/// The manager does not know the queue pair, which belongs to this provider: so the transitions are
/// made here, and the manager is notified of their end.
final class IbvConnection extends Awaited implements Connection, CmUser {
    /// How often a waiting thread looks at the queue pair.
    private static final long FOLLOW_NS = 20_000_000;

    private final IbvQueuePair pair;
    private final CmId id;
    private final Gid peer;
    private final String target;
    private final byte[] request;
    private volatile byte[] privateData;
    private volatile State state = State.CONNECTING;
    private @Nullable CmFailure failure;

    /// The active side's.
    IbvConnection(Connections home, IbvQueuePair pair, Gid peer, int port, byte[] request) {
        super(home.device);
        this.pair = pair;
        this.peer = peer;
        this.target = peer + " port " + port;
        this.request = request;
        this.privateData = new byte[0];
        this.id = home.id(CmStructs.Id.TCP, this);
    }

    /// The passive side's.
    IbvConnection(Connections home, IbvQueuePair pair, Gid peer, CmId id, byte[] privateData) {
        super(home.device);
        this.pair = pair;
        this.peer = peer;
        this.target = peer.toString();
        this.request = new byte[0];
        this.privateData = privateData;
        this.id = id;
    }

    /// Looks for the peer.
    void begin(SocketAddress own, SocketAddress there) {
        pair.connection = this;
        int reason = id.resolveAddress(own, there);
        if (CmFailure.isSilence(reason)) {
            fail(CmFailure.ofLinux(reason));
        } else if (reason != 0) {
            pair.connection = null;
            id.end();
            throw Errno.refusal(pair.toString(), "a path to " + target, reason);
        }
    }

    /// Answers a request.
    ///
    /// @param wanted reads that the peer would have under way
    /// @param offered that the peer would serve
    void agree(int wanted, int offered, byte[] data) {
        int responder = Math.min(wanted, pair.readsAsResponder());
        int initiator = Math.min(offered, device.context.limits.readsAsInitiator());
        pair.connection = this;
        int reason;
        try {
            id.requireOwnDevice();
            CmSteps.join(pair, id, responder, initiator);
            id.user(this);
            reason = id.accept(new CmParameters(data).of(pair, responder, initiator));
        } catch (VerbsException refused) {
            id.reject();
            id.end();
            leave(State.FAILED);
            throw refused;
        }
        if (reason != 0) {
            id.end();
            leave(State.FAILED);
            throw new WrongStateException(
                    "request of " + target,
                    "it is over: " + Errno.text(reason),
                    "wait for the next request, and use a new queue pair");
        }
    }

    @Override
    public void happened(CmEvent event) {
        if (event.isFailure()) {
            if (state == State.CONNECTING) {
                fail(CmFailure.ofConnection(event));
            }
            return;
        }
        switch (event.type()) {
            case CmEvent.ADDRESS_RESOLVED -> resolved();
            case CmEvent.ROUTE_RESOLVED -> go(ask());
            case CmEvent.RESPONSE -> replied(event);
            case CmEvent.ESTABLISHED -> established();
            case CmEvent.DISCONNECTED, CmEvent.DEVICE_REMOVAL -> {
                id.disconnect(); // answers the peer, unless it is its answer
                id.end();
                over();
            }
            case CmEvent.TIMEWAIT_EXIT -> id.end();
            default -> {}
        }
    }

    private void resolved() {
        try {
            id.requireOwnDevice();
        } catch (VerbsException other) {
            fail(new CmFailure(Reason.OTHER, String.valueOf(other.getMessage())));
            return;
        }
        go(id.resolveRoute());
    }

    private int ask() {
        CmParameters parameters = new CmParameters(request);
        int initiator = device.context.limits.readsAsInitiator();
        return id.connect(parameters.of(pair, pair.readsAsResponder(), initiator));
    }

    /// The next step was begun, or cannot be.
    private void go(int reason) {
        if (reason != 0) {
            fail(CmFailure.ofLinux(reason));
        }
    }

    private void replied(CmEvent event) {
        privateData = event.privateData();
        try {
            int initiator = device.context.limits.readsAsInitiator();
            CmSteps.join(pair, id, pair.readsAsResponder(), initiator);
        } catch (VerbsException refused) {
            // The peer's reply does not fit the queue pair, or the queue pair is closed.
            id.reject();
            fail(new CmFailure(Reason.OTHER, String.valueOf(refused.getMessage())));
            return;
        }
        int reason = id.establish();
        if (reason == 0) {
            established();
        } else {
            fail(CmFailure.ofLinux(reason));
        }
    }

    private void established() {
        if (state == State.CONNECTING) {
            state = State.ESTABLISHED;
            rouse();
        }
    }

    private void fail(CmFailure why) {
        failure = why;
        id.end();
        leave(State.FAILED);
    }

    private void over() {
        if (state == State.CONNECTING || state == State.ESTABLISHED) {
            leave(state == State.CONNECTING ? State.FAILED : State.DISCONNECTED);
        }
    }

    private void leave(State last) {
        state = last;
        pair.connection = null;
        pair.fail();
        rouse();
    }

    @Override
    public QueuePair queuePair() {
        return pair;
    }

    /// A system call while it is established, as for the state of the queue pair.
    @Override
    public State state() {
        follow();
        return state;
    }

    @Override
    public State reportedState() {
        return state;
    }

    /// A connection ends with its queue pair. No event reports that a queue pair has failed: with
    /// some devices only a completion shows it, which the program may not have fetched yet.
    private void follow() {
        if (state == State.ESTABLISHED && pair.state() == QueuePairState.ERROR) {
            disconnect();
        }
    }

    @Override
    public Gid peer() {
        return peer;
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public boolean await(Duration timeout) throws ConnectionFailedException {
        if (!await(timeout, () -> state != State.CONNECTING)) {
            return false;
        }
        CmFailure why = failure;
        if (why != null) {
            throw why.explain(pair + " to " + target);
        }
        if (state == State.FAILED) {
            throw ConnectionRefusals.endedEarly(pair + " to " + target);
        }
        return true;
    }

    @Override
    public boolean awaitDisconnected(Duration timeout) {
        return await(
                timeout,
                FOLLOW_NS,
                () -> {
                    follow();
                    return state == State.DISCONNECTED || state == State.FAILED;
                });
    }

    @Override
    public void disconnect() {
        device.context.lock.lock();
        try {
            boolean isSaid = state == State.ESTABLISHED && id.disconnect() == 0;
            if (!isSaid && (state == State.CONNECTING || state == State.ESTABLISHED)) {
                id.end();
            }
            over();
        } finally {
            device.context.lock.unlock();
        }
    }

    @Override
    public void deviceCloses() {
        disconnect();
    }

    @Override
    public void close() {
        disconnect();
    }

    @Override
    public String toString() {
        return ObjectNames.connection(pair, target);
    }
}
