package dev.verbena.transport.cm;

import dev.verbena.verbs.Address;
import dev.verbena.wire.Payload;
import dev.verbena.wire.mad.CmDrep;
import dev.verbena.wire.mad.CmDreq;
import dev.verbena.wire.mad.CmMessage;
import dev.verbena.wire.mad.CmMra;
import dev.verbena.wire.mad.CmRej;
import dev.verbena.wire.mad.CmRep;
import dev.verbena.wire.mad.CmRepBuilder;
import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.CmRtu;
import dev.verbena.wire.mad.CmTimeout;
import dev.verbena.wire.mad.RejectReason;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One connection, as both sides come to agree on it and to end it (IBA 12.9).
///
/// | state | waits for | and else |
/// |---|---|---|
/// | REQ_SENT | REP | sends the REQ again; then fails |
/// | REQ_RECEIVED | the program | refuses |
/// | REP_SENT | RTU, or a first packet | sends the REP again; then ends it |
/// | DREQ_SENT | DREP | sends the DREQ again, at first soon; then takes it for over |
/// | TIME_WAIT | the last packets | is forgotten |
public final class CmConnection extends CmTimed {
    /// The first wait for a DREP, a code as in [CmSettings]: 17 ms; each further one is twice as
    /// long. No program has to decide about a DREQ, so that a peer answers at once, and until one
    /// arrives it writes to a connection that is over.
    private static final int SOON = 12;

    private final CmMachine machine;
    private final int id;
    private final long transaction;
    private final Address to;
    private int pair;
    private int peerId;
    private long peerGuid;
    private int peerPair;
    private @Nullable CmUser user;
    private CmState state = CmState.REQ_RECEIVED;

    /// The message that is repeated until the peer replies.
    private @Nullable CmMessage pending;

    private long pendingTransaction;
    private int retriesLeft;
    private long answerNs;

    /// How long to wait for the peer's reply this time, `answerNs` at most.
    private long patienceNs;

    /// The time between looks at the peer; 0 without any.
    private long keepAliveNs;

    CmConnection(CmMachine machine, int id, long transaction, Address to, int pair) {
        this.machine = machine;
        this.id = id;
        this.transaction = transaction;
        this.to = to;
        this.pair = pair;
    }

    void use(CmUser by) {
        user = by;
    }

    int id() {
        return id;
    }

    int pair() {
        return pair;
    }

    int peerId() {
        return peerId;
    }

    long peerGuid() {
        return peerGuid;
    }

    int peerPair() {
        return peerPair;
    }

    public CmState state() {
        return state;
    }

    /// Where the peer is.
    public Address to() {
        return to;
    }

    boolean isFrom(Address from) {
        return from.lid() == to.lid() && from.gid().equals(to.gid());
    }

    private void persist(CmMessage message, long under, int retries, long waitNs) {
        persist(message, under, retries, waitNs, waitNs);
    }

    private void persist(CmMessage message, long under, int retries, long firstNs, long waitNs) {
        pending = message;
        pendingTransaction = under;
        retriesLeft = retries;
        patienceNs = firstNs;
        answerNs = waitNs;
        sendPending();
    }

    private void sendPending() {
        machine.send(to, pendingTransaction, Objects.requireNonNull(pending));
        machine.arm(this, machine.nowNs() + patienceNs);
        patienceNs = Math.min(2 * patienceNs, answerNs);
    }

    private void idle() {
        pending = null;
        machine.disarm(this);
    }

    /// The active side begins.
    void ask(CmReq request) {
        state = CmState.REQ_SENT;
        CmSettings settings = machine.settings;
        long waitNs = machine.answerNs(settings.responseTimeout());
        persist(request, transaction, settings.retries(), waitNs);
    }

    /// The passive side begins.
    void asked(CmReq request) {
        peerId = request.localCommunicationId();
        peerGuid = request.localCaGuid();
        peerPair = request.queuePair().qpn();
        retriesLeft = request.patience().maxCmRetries();
        // How long the peer takes to answer our REP.
        answerNs = machine.answerNs(request.patience().localResponseTimeout());
        machine.arm(this, machine.nowNs() + CmTimeout.nanos(machine.settings.serviceTimeout()));
    }

    /// The same request once more: its answer was lost, or is not there yet.
    void askedAgain(CmReq request) {
        if (state == CmState.REQ_RECEIVED) {
            int timeout = machine.settings.serviceTimeout();
            CmMra wait = new CmMra(id, peerId, CmMachine.MESSAGE_REQ, timeout, Payload.EMPTY);
            machine.send(to, transaction, wait);
        } else if (state == CmState.REP_SENT) {
            machine.send(to, transaction, Objects.requireNonNull(pending));
        } else if (state == CmState.TIME_WAIT || state == CmState.DREQ_SENT) {
            RejectReason why = RejectReason.STALE_CONNECTION;
            int theirs = request.localCommunicationId();
            machine.send(
                    to,
                    transaction,
                    CmMachine.rejection(id, theirs, CmMachine.MESSAGE_REQ, why, Payload.EMPTY));
        }
    }

    /// The passive side agrees; its queue pair is ready to receive.
    ///
    /// @return false when the peer has given up meanwhile
    public boolean accept(CmRepBuilder reply) {
        if (state != CmState.REQ_RECEIVED) {
            return false;
        }
        CmRep message =
                reply.localCommunicationId(id)
                        .remoteCommunicationId(peerId)
                        .localCaGuid(machine.guid)
                        .build();
        pair = message.queuePair().qpn();
        state = CmState.REP_SENT;
        persist(message, transaction, retriesLeft, answerNs);
        return true;
    }

    /// Rejects a request that was not answered yet, or the reply to a request of ours.
    public void reject(RejectReason why, Payload privateData) {
        boolean isOurs = state == CmState.REP_RECEIVED;
        if (isOurs || state == CmState.REQ_RECEIVED) {
            int message = isOurs ? CmMachine.MESSAGE_REP : CmMachine.MESSAGE_REQ;
            machine.send(
                    to, transaction, CmMachine.rejection(id, peerId, message, why, privateData));
            close();
        }
    }

    /// The peer asks for another connection before the program has answered this request: so it has
    /// given this one up. Returns whether that was so.
    boolean isAbandoned() {
        if (state != CmState.REQ_RECEIVED) {
            return false;
        }
        close();
        fail(CmFailure.SILENCE);
        return true;
    }

    /// Returns whether it was waited for; so do those below.
    boolean replied(CmRep reply) {
        if (state == CmState.REQ_SENT) {
            idle();
            peerId = reply.localCommunicationId();
            peerGuid = reply.localCaGuid();
            peerPair = reply.queuePair().qpn();
            machine.know(this);
            state = CmState.REP_RECEIVED;
            if (user != null) {
                user.replied(reply);
            }
            return true;
        } else if (state == CmState.ESTABLISHED && reply.localCommunicationId() == peerId) {
            // IBA 12.9.8.3.2: the RTU was lost.
            sayReady();
        }
        return false;
    }

    /// The active side's queue pair is ready.
    public void confirm() {
        if (state == CmState.REP_RECEIVED) {
            state = CmState.ESTABLISHED;
            sayReady();
            watch();
        }
    }

    /// Calls [CmUser#keepAliveDue] at these intervals for as long as the connection stands.
    public void keepAlive(long intervalNs) {
        keepAliveNs = intervalNs;
        watch();
    }

    private void watch() {
        if (state == CmState.ESTABLISHED && keepAliveNs > 0) {
            machine.arm(this, machine.nowNs() + keepAliveNs);
        }
    }

    private void sayReady() {
        machine.send(to, transaction, new CmRtu(id, peerId, Payload.EMPTY));
    }

    /// The peer is ready: its RTU came, or a first packet of the connection.
    public boolean ready() {
        if (state != CmState.REP_SENT) {
            return false;
        }
        idle();
        state = CmState.ESTABLISHED;
        watch();
        if (user != null) {
            user.established();
        }
        return true;
    }

    /// The peer needs longer.
    boolean toWait(int message, int serviceTimeout) {
        boolean isRequest = state == CmState.REQ_SENT && message == CmMachine.MESSAGE_REQ;
        boolean isReply = state == CmState.REP_SENT && message == CmMachine.MESSAGE_REP;
        if ((isRequest || isReply) && retriesLeft > 0) {
            // Each counts as an attempt; otherwise a peer could make us wait for ever.
            retriesLeft--;
            machine.arm(this, machine.nowNs() + machine.answerNs(serviceTimeout));
            return true;
        }
        return false;
    }

    boolean rejected(CmRej refusal) {
        switch (state) {
            case REQ_SENT, REQ_RECEIVED, REP_SENT -> {
                CmFailure why = new CmFailure(false, refusal.reason(), refusal.privateData());
                close();
                fail(why);
            }
            case REP_RECEIVED, ESTABLISHED -> over();
            default -> {
                return false;
            }
        }
        return true;
    }

    /// Ends the connection; the message to the peer is repeated until it replies.
    public void disconnect() {
        switch (state) {
            case ESTABLISHED, REP_SENT -> sayOver();
            case REQ_SENT -> close();
            case REQ_RECEIVED, REP_RECEIVED -> reject(RejectReason.CONSUMER_DEFINED, Payload.EMPTY);
            default -> {}
        }
        user = null;
    }

    private void sayOver() {
        state = CmState.DREQ_SENT;
        CmSettings settings = machine.settings;
        persist(
                new CmDreq(id, peerId, peerPair, Payload.EMPTY),
                machine.freshTransaction(),
                settings.retries(),
                CmTimeout.nanos(SOON),
                machine.answerNs(settings.responseTimeout()));
    }

    /// The peer says that it is over.
    boolean disconnected(long theirTransaction) {
        machine.send(to, theirTransaction, new CmDrep(id, peerId, Payload.EMPTY));
        boolean isNews = state.isConnected() || state == CmState.DREQ_SENT;
        if (isNews) {
            over();
        }
        return isNews;
    }

    boolean disconnectAnswered() {
        boolean isNews = state == CmState.DREQ_SENT;
        if (isNews) {
            over();
        }
        return isNews;
    }

    /// The peer has lost it, and asks for another with the same queue pair.
    void forgotten() {
        if (state.isConnected()) {
            over();
        }
    }

    private void over() {
        idle();
        state = CmState.TIME_WAIT;
        machine.arm(this, machine.nowNs() + 2 * CmTimeout.nanos(machine.settings.lifeTime()));
        CmUser told = user;
        user = null;
        if (told != null) {
            told.disconnected();
        }
    }

    @Override
    void timedOut() {
        if (pending != null && retriesLeft > 0) {
            retriesLeft--;
            sendPending();
            return;
        }
        switch (state) {
            case REQ_SENT -> {
                giveUp(CmMachine.MESSAGE_REQ);
                close();
                fail(CmFailure.SILENCE);
            }
            case REQ_RECEIVED -> {
                reject(RejectReason.NO_RESOURCES, Payload.EMPTY);
                fail(CmFailure.SILENCE);
            }
            case REP_SENT -> {
                // It may be the RTUs that were lost, and the peer takes it for a connection.
                giveUp(CmMachine.MESSAGE_REP);
                sayOver();
                fail(CmFailure.SILENCE);
            }
            case ESTABLISHED -> {
                if (user != null) {
                    user.keepAliveDue();
                }
                watch();
            }
            case DREQ_SENT -> over();
            case TIME_WAIT -> close();
            default -> {}
        }
    }

    /// IBA 12.6.7.1: identifies this side by its GUID, since the peer may know no other name.
    private void giveUp(int message) {
        byte[] guid = ByteBuffer.allocate(Long.BYTES).putLong(machine.guid).array();
        machine.send(
                to,
                transaction,
                new CmRej(
                        id,
                        peerId,
                        message,
                        guid.length,
                        RejectReason.TIMEOUT,
                        Payload.of(guid).filled("rej info", CmRej.INFO_LENGTH_MAX),
                        Payload.EMPTY));
    }

    private void close() {
        idle();
        state = CmState.CLOSED;
        machine.forget(this);
    }

    private void fail(CmFailure why) {
        CmUser told = user;
        user = null;
        if (told != null) {
            told.failed(why);
        }
    }

    @Override
    public String toString() {
        return "connection 0x%08x, %s".formatted(id, state);
    }
}
