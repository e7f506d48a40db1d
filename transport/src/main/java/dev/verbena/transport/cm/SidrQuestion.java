package dev.verbena.transport.cm;

import dev.verbena.verbs.Address;
import dev.verbena.wire.mad.CmSidrRep;
import dev.verbena.wire.mad.CmSidrReq;

/// A resolution request of this side, repeated until the peer replies (IBA 12.11).
public final class SidrQuestion extends CmTimed {
    private final CmMachine machine;
    private final long transaction;
    private final Address to;
    private final CmSidrReq message;
    private final SidrAsker asker;
    private int retriesLeft;

    SidrQuestion(
            CmMachine machine, long transaction, Address to, CmSidrReq message, SidrAsker asker) {
        this.machine = machine;
        this.transaction = transaction;
        this.to = to;
        this.message = message;
        this.asker = asker;
        retriesLeft = machine.settings.retries();
    }

    int id() {
        return message.requestId();
    }

    void ask() {
        machine.send(to, transaction, message);
        // IBA 12.11.1: the request does not say how long the peer may take; it is not told.
        int timeout = machine.settings.responseTimeout();
        machine.arm(this, machine.nowNs() + machine.answerNs(timeout));
    }

    /// Whether a reply belongs to this request: it comes from the address that was asked, with all
    /// ids of the request.
    boolean isFor(Address from, long theirTransaction, CmSidrRep reply) {
        return from.lid() == to.lid()
                && from.gid().equals(to.gid())
                && theirTransaction == transaction
                && reply.serviceId() == message.serviceId();
    }

    void answered(CmSidrRep reply) {
        cancel();
        asker.answered(reply);
    }

    @Override
    void timedOut() {
        if (retriesLeft > 0) {
            retriesLeft--;
            ask();
        } else {
            cancel();
            asker.unanswered();
        }
    }

    /// Asks no longer; an answer that still comes is not looked at.
    public void cancel() {
        machine.disarm(this);
        machine.datagrams().forget(this);
    }

    @Override
    public String toString() {
        return "question 0x%08x".formatted(id());
    }
}
