package dev.verbena.transport.connect;

import dev.verbena.transport.cm.CmConnection;
import dev.verbena.transport.cm.CmFailure;
import dev.verbena.transport.cm.CmUser;
import dev.verbena.transport.pair.PairConnection;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.work.Work;
import dev.verbena.transport.work.WorkSlab;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionFailedException.Reason;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.spi.ConnectionRefusals;
import dev.verbena.verbs.spi.ObjectNames;
import dev.verbena.wire.Payload;
import dev.verbena.wire.Psn;
import dev.verbena.wire.mad.CmRep;
import dev.verbena.wire.mad.RejectReason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A connection as programs see it: moves the queue pair as the messages say.
final class TransportConnection extends Awaited implements Connection, CmUser, PairConnection {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(24);

    private final QueuePairCore pair;
    private final @Nullable ConnectionSetup setup;
    private @Nullable CmConnection connection;
    private final Gid peer;
    private final String target;
    private final int localPort;
    private volatile byte[] privateData;
    private volatile State state = State.CONNECTING;
    private volatile @Nullable CmFailure failure;

    /// Whether it has nothing more to say to the peer.
    private boolean isOver;

    /// Whether the send queue has room for a probe, and the end of what the peer had acknowledged
    /// when that was last looked at.

    private int acknowledged;

    /// The passive side's.
    TransportConnection(
            Connections connections,
            QueuePairCore pair,
            CmConnection connection,
            byte[] privateData) {
        super(connections);
        this.pair = pair;
        this.connection = connection;
        this.privateData = privateData;
        setup = null;
        localPort = 0;
        peer = connection.to().gid();
        target = peer.toString();
    }

    /// The active side's.
    TransportConnection(
            Connections connections,
            QueuePairCore pair,
            ConnectionSetup setup,
            Gid peer,
            int port,
            int localPort) {
        super(connections);
        this.localPort = localPort;
        this.pair = pair;
        this.setup = setup;
        this.peer = peer;
        target = peer + " port " + port;
        privateData = new byte[0];
    }

    void begun(CmConnection made) {
        connection = made;
    }

    @Override
    public int localPort() {
        return localPort;
    }

    @Override
    public QueuePair queuePair() {
        return pair;
    }

    @Override
    public State state() {
        return state;
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
    public void replied(CmRep reply) {
        privateData = reply.privateData().toArray();
        CmConnection known = connection;
        if (setup == null || known == null) {
            throw new AssertionError("only the active side gets a reply");
        }
        try {
            setup.join(known.to(), reply);
        } catch (VerbsException refused) {
            // The peer's reply does not fit the queue pair, or the queue pair is closed.
            known.reject(RejectReason.CONSUMER_DEFINED, Payload.EMPTY);
            failed(new CmFailure(false, RejectReason.UNSUPPORTED, Payload.EMPTY));
            return;
        }
        known.confirm();
        established();
    }

    @Override
    public void established() {
        state = State.ESTABLISHED;
        rouse();
    }

    @Override
    public void failed(CmFailure why) {
        failure = why;
        leave(State.FAILED);
    }

    @Override
    public void disconnected() {
        leave(State.DISCONNECTED);
    }

    private void leave(State last) {
        state = last;
        isOver = true;
        pair.connection = null;
        if (!pair.isClosed() && pair.state().answers()) {
            pair.fail();
        }
        rouse();
    }

    @Override
    public void firstPacket() {
        if (state == State.CONNECTING && connection != null) {
            connection.ready();
            connections.managed();
        }
    }

    @Override
    public void keepAlive(Duration interval) {
        if (pair.type() != QueuePairType.RC) {
            throw new UnsupportedException(
                    toString(), "a peer of type " + pair.type() + " does not answer", "use RC");
        }
        if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0) {
            throw new InvalidRequestException(
                    toString(),
                    "no keep-alive every " + interval,
                    "use %s to %s".formatted(SHORTEST, LONGEST));
        }
        try (var _ = connections.device.entry.enter()) {
            requireProbes();
            if (isOver || connection == null) {
                return;
            }
            acknowledged = pair.sender().unackedPsn();
            connections.now();
            connection.keepAlive(interval.toNanos());
            connections.managedByProgram();
        }
    }

    private void requireProbes() {
        if (!pair.settings().allows(Access.REMOTE_WRITE)) {
            throw new InvalidRequestException(
                    toString(),
                    "a keep-alive is a WRITE without data, which this queue pair does not allow its"
                            + " peer",
                    "give both queue pairs REMOTE_WRITE");
        }
    }

    /// Probes a peer that has acknowledged nothing since the last time. A queue pair with work in
    /// flight notices by itself.
    @Override
    public void keepAliveDue() {
        if (pair.state() != QueuePairState.READY_TO_SEND || pair.sendQueue().count() > 0) {
            return;
        }
        int now = pair.sender().unackedPsn();
        if (now != acknowledged) {
            acknowledged = now;
            return;
        }
        WorkSlab work = connections.work;
        int slot = work.take(Work.WRITE, 0);
        if (slot == WorkSlab.NIL) {
            return;
        }
        work.remote(slot, 0, 0);
        work.set(slot, Work.PROBE);
        acknowledged = Psn.plus(now, 1);
        pair.postSends(slot, slot, 1);
    }

    @Override
    public boolean await(Duration timeout) throws ConnectionFailedException {
        if (!await(timeout, () -> state != State.CONNECTING)) {
            return false;
        }
        CmFailure why = failure;
        if (why != null) {
            throw explain(why);
        }
        if (state == State.FAILED) {
            throw ConnectionRefusals.endedEarly(pair + " to " + target);
        }
        return true;
    }

    private ConnectionFailedException explain(CmFailure why) {
        Reason reason = reason(why);
        String ours =
                reason == Reason.NO_ANSWER
                        ? connections.noReplyFrom(peer)
                        : "the peer refused: " + why.reason();
        String what = ConnectionRefusals.ofConnection(reason, ours);
        return new ConnectionFailedException(
                pair + " to " + target + ": " + what, reason, why.privateData().toArray());
    }

    private static Reason reason(CmFailure why) {
        return why.isSilence()
                ? Reason.NO_ANSWER
                : ConnectionRefusals.reasonOfRejection(why.reason().code());
    }

    @Override
    public boolean awaitDisconnected(Duration timeout) {
        return await(timeout, () -> state == State.DISCONNECTED || state == State.FAILED);
    }

    @Override
    public void disconnect() {
        try (var _ = connections.device.entry.enter()) {
            if (end(last())) {
                connections.managedByProgram();
            }
        }
    }

    /// The queue pair has failed, and with it the connection. A peer that lives learns it: by the
    /// answer that the queue pair still has to send, or by the end of the connection, which must
    /// not overtake such an answer.
    @Override
    public void pairFailed(boolean hasAnswer) {
        State last = last();
        if (hasAnswer && last == State.DISCONNECTED) {
            state = last;
            rouse();
        } else if (end(last)) {
            connections.managed();
        }
    }

    /// What it becomes when it ends now.
    private State last() {
        return state == State.CONNECTING ? State.FAILED : State.DISCONNECTED;
    }

    private boolean end(State last) {
        if (isOver) {
            return false;
        }
        connections.now();
        if (connection != null) {
            connection.disconnect();
        }
        leave(last);
        return true;
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
