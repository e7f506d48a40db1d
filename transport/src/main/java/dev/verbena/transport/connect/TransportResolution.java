package dev.verbena.transport.connect;

import dev.verbena.transport.cm.SidrAsker;
import dev.verbena.transport.cm.SidrQuestion;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.ConnectionFailedException.Reason;
import dev.verbena.verbs.spi.ConnectionRefusals;
import dev.verbena.verbs.spi.DatagramQuestion;
import dev.verbena.wire.mad.CmSidrRep;
import dev.verbena.wire.mad.SidrStatus;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A question for a datagram queue pair as programs see it.
final class TransportResolution extends DatagramQuestion implements SidrAsker {
    private final Connections connections;
    private final Awaited waiting;
    private @Nullable SidrQuestion question;

    TransportResolution(Connections connections, Address address, int port) {
        super(connections.device.name, address, port);
        this.connections = connections;
        waiting = new Awaited(connections);
    }

    void begun(SidrQuestion asked) {
        question = asked;
    }

    /// A redirection is not followed: otherwise any peer that can reply could send us to any
    /// address.
    @Override
    public void answered(CmSidrRep said) {
        SidrStatus status = said.status();
        byte[] data = said.privateData().toArray();
        if (status.equals(SidrStatus.VALID)) {
            resolved(said.qpn(), said.qkey(), data);
            return;
        }
        Reason reason = ConnectionRefusals.reasonOfAnswer(status.code());
        failed(
                reason,
                () -> ConnectionRefusals.ofQuestion(reason, "the peer refused: " + status),
                data);
    }

    @Override
    public void unanswered() {
        failed(Reason.NO_ANSWER, () -> connections.noReplyFrom(address().gid()), new byte[0]);
    }

    @Override
    protected void decided() {
        waiting.rouse();
    }

    @Override
    protected boolean awaitDecision(Duration timeout, BooleanSupplier isDecided) {
        return waiting.await(timeout, isDecided);
    }

    @Override
    public void close() {
        try (var _ = connections.device.entry.enter()) {
            if (state() == State.ASKING && question != null) {
                question.cancel();
                givenUp();
                connections.managedByProgram();
            }
        }
    }
}
