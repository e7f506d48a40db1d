package dev.verbena.transport.connect;

import dev.verbena.transport.cm.SidrAsker;
import dev.verbena.transport.cm.SidrQuestion;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionFailedException.Reason;
import dev.verbena.verbs.Resolution;
import dev.verbena.verbs.spi.ConnectionRules;
import dev.verbena.verbs.spi.ObjectNames;
import dev.verbena.verbs.spi.Refusals;
import dev.verbena.wire.mad.CmSidrRep;
import dev.verbena.wire.mad.SidrStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A question for a datagram queue pair as programs see it.
final class TransportResolution extends Awaited implements Resolution, SidrAsker {
    private final Address address;
    private final String target;
    private @Nullable SidrQuestion question;
    private volatile @Nullable CmSidrRep reply;
    private volatile State state = State.ASKING;

    TransportResolution(Connections connections, Address address, int port) {
        super(connections);
        this.address = address;
        target = ObjectNames.datagramPort(address.gid(), port);
    }

    void begun(SidrQuestion asked) {
        question = asked;
    }

    @Override
    public void answered(CmSidrRep said) {
        reply = said;
        leave(said.status().equals(SidrStatus.VALID) ? State.RESOLVED : State.FAILED);
    }

    @Override
    public void unanswered() {
        leave(State.FAILED);
    }

    private void leave(State last) {
        state = last;
        rouse();
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public boolean await(Duration timeout) throws ConnectionFailedException {
        if (!await(timeout, () -> state != State.ASKING)) {
            return false;
        }
        if (state == State.GIVEN_UP) {
            throw ConnectionRules.closedQuestion(this);
        }
        if (state == State.FAILED) {
            throw explain(reply);
        }
        return true;
    }

    private ConnectionFailedException explain(@Nullable CmSidrRep said) {
        if (said == null) {
            return failure(connections.noReplyFrom(address.gid()), Reason.NO_ANSWER);
        }
        Reason reason = reason(said.status());
        String what = Refusals.ofQuestion(reason, "the peer refused: " + said.status());
        return reason == Reason.NOBODY_LISTENS
                ? failure(what, reason)
                : failure(what, reason, said.privateData().toArray());
    }

    /// A redirection is not followed: otherwise any peer that can reply could send us to any
    /// address.
    private static Reason reason(SidrStatus status) {
        if (status.equals(SidrStatus.UNSUPPORTED)) {
            return Reason.NOBODY_LISTENS;
        }
        if (status.equals(SidrStatus.REJECTED)) {
            return Reason.REJECTED;
        }
        return status.equals(SidrStatus.NO_QP) ? Reason.NO_RESOURCES : Reason.OTHER;
    }

    private ConnectionFailedException failure(String what, Reason reason, byte... data) {
        return new ConnectionFailedException(
                connections.device.name + " to " + target + ": " + what, reason, data);
    }

    @Override
    public Address address() {
        return address;
    }

    @Override
    public int queuePair() {
        return resolved().qpn();
    }

    @Override
    public int queueKey() {
        return resolved().qkey();
    }

    private CmSidrRep resolved() {
        CmSidrRep said = reply;
        if (state != State.RESOLVED || said == null) {
            throw ConnectionRules.unresolved(this);
        }
        return said;
    }

    @Override
    public byte[] privateData() {
        CmSidrRep said = reply;
        return said == null ? new byte[0] : said.privateData().toArray();
    }

    @Override
    public void close() {
        try (var _ = connections.device.entry.enter()) {
            if (state == State.ASKING && question != null) {
                question.cancel();
                leave(State.GIVEN_UP);
                connections.managedByProgram();
            }
        }
    }

    @Override
    public String toString() {
        return ObjectNames.resolution(target);
    }
}
