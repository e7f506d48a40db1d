package dev.verbena.transport.cm;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Payload;
import dev.verbena.wire.mad.CmSidrRep;
import dev.verbena.wire.mad.CmSidrReq;
import dev.verbena.wire.mad.CmTimeout;
import dev.verbena.wire.mad.SidrStatus;
import org.jspecify.annotations.Nullable;

/// A question of a peer: waits for the program, and is then kept with its answer, so that the same
/// question again gets the same answer without asking the program.
public final class SidrInquiry extends CmTimed {
    /// A question is the same when its sender and all numbers are.
    record Key(Gid gid, int lid, int requestId, long transaction) {
        static Key of(Address from, long transaction, CmSidrReq request) {
            return new Key(from.gid(), from.lid(), request.requestId(), transaction);
        }
    }

    private final CmMachine machine;
    private final Key key;
    private final Address to;
    private final long serviceId;
    private final SidrService service;
    private @Nullable CmSidrRep answer;
    private boolean isOpen = true;

    SidrInquiry(CmMachine machine, Key key, Address to, long serviceId, SidrService service) {
        this.machine = machine;
        this.key = key;
        this.to = to;
        this.serviceId = serviceId;
        this.service = service;
    }

    /// Where the peer is.
    public Address to() {
        return to;
    }

    /// Whether the program may still answer.
    public boolean isOpen() {
        return isOpen;
    }

    Key key() {
        return key;
    }

    void begin() {
        keep();
    }

    /// For as long as a program may take, and as the peer may go on asking.
    private void keep() {
        machine.arm(this, machine.nowNs() + CmTimeout.nanos(machine.settings.serviceTimeout()));
    }

    /// The same question: its answer was lost, or the program has not decided yet, which there is
    /// no message for.
    void askedAgain() {
        if (answer != null) {
            machine.send(to, key.transaction, answer);
        }
    }

    /// Names a queue pair.
    ///
    /// @return false when it was answered before, or is too old
    public boolean accept(int queuePair, int queueKey, Payload privateData) {
        return answer(reply(key, SidrStatus.VALID, serviceId, queuePair, queueKey, privateData));
    }

    /// The program says no.
    public boolean reject(Payload privateData) {
        return answer(reply(key, SidrStatus.REJECTED, serviceId, 0, 0, privateData));
    }

    private boolean answer(CmSidrRep reply) {
        if (!isOpen) {
            return false;
        }
        isOpen = false;
        answer = reply;
        machine.datagrams().answered(this);
        keep();
        machine.send(to, key.transaction, reply);
        return true;
    }

    /// There is no room, or the question is wrong: nothing is kept of it.
    public void refuse(SidrStatus why) {
        if (isOpen) {
            isOpen = false;
            forget();
            machine.send(to, key.transaction, refusal(key, why, serviceId));
        }
    }

    @Override
    void timedOut() {
        if (isOpen) {
            refuse(SidrStatus.NO_QP);
            service.withdrawn(this);
        } else {
            forget();
        }
    }

    void forget() {
        machine.disarm(this);
        machine.datagrams().forget(this);
    }

    static CmSidrRep refusal(Key key, SidrStatus why, long serviceId) {
        return reply(key, why, serviceId, 0, 0, Payload.EMPTY);
    }

    private static CmSidrRep reply(
            Key key,
            SidrStatus status,
            long serviceId,
            int queuePair,
            int queueKey,
            Payload privateData) {
        return new CmSidrRep(
                key.requestId,
                status,
                0,
                0,
                queuePair,
                serviceId,
                queueKey,
                Payload.EMPTY,
                privateData);
    }

    @Override
    public String toString() {
        return "inquiry 0x%08x of %s".formatted(key.requestId, to.gid());
    }
}
