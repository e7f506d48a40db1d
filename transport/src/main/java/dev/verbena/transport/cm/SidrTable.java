package dev.verbena.transport.cm;

import dev.verbena.verbs.Address;
import dev.verbena.wire.Payload;
import dev.verbena.wire.mad.CmSidrRep;
import dev.verbena.wire.mad.CmSidrReq;
import dev.verbena.wire.mad.SidrStatus;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The datagram queue pairs that serve an ID (IBA 12.11): requests of this side and of peers.
///
/// A reply is accepted when it comes from the address that was asked, with the random request and
/// transaction IDs of the request: an attacker would have to guess 96 bits and to send from the
/// peer's address.
public final class SidrTable {
    private final CmMachine machine;
    private final int limit;
    private final Map<Long, SidrService> services = new HashMap<>();
    private final Map<Integer, SidrQuestion> questions = new HashMap<>();
    private final Map<SidrInquiry.Key, SidrInquiry> waiting = new HashMap<>();

    /// Inquiries that were answered, the oldest first.
    private final Map<SidrInquiry.Key, SidrInquiry> answered = new LinkedHashMap<>();

    SidrTable(CmMachine machine) {
        this.machine = machine;
        limit = machine.settings.resolutions();
    }

    /// Asks a peer which queue pair serves an ID.
    ///
    /// @return null when as many are asked as may be
    public @Nullable SidrQuestion ask(
            long timeNs, Address to, long serviceId, int pkey, Payload data, SidrAsker asker) {
        machine.at(timeNs);
        if (questions.size() >= limit) {
            return null;
        }
        CmSidrReq message = new CmSidrReq(machine.freshId(questions), pkey, serviceId, data);
        SidrQuestion question =
                new SidrQuestion(machine, machine.freshTransaction(), to, message, asker);
        questions.put(question.id(), question);
        question.ask();
        return question;
    }

    /// Registers a service; returns false when the service already exists.
    public boolean listen(long serviceId, SidrService service) {
        return services.putIfAbsent(serviceId, service) == null;
    }

    public void unlisten(long serviceId) {
        services.remove(serviceId);
    }

    CmVerdict replied(Address from, long transaction, CmSidrRep reply) {
        SidrQuestion question = questions.get(reply.requestId());
        if (question == null || !question.isFor(from, transaction, reply)) {
            return CmVerdict.STRAY;
        }
        question.answered(reply);
        return CmVerdict.TAKEN;
    }

    CmVerdict asked(Address from, long transaction, CmSidrReq request) {
        SidrInquiry.Key key = SidrInquiry.Key.of(from, transaction, request);
        SidrInquiry known = waiting.getOrDefault(key, answered.get(key));
        if (known != null) {
            known.askedAgain();
            return CmVerdict.REPEATED;
        }
        long serviceId = request.serviceId();
        SidrService service = services.get(serviceId);
        if (service == null || waiting.size() >= limit) {
            SidrStatus why = service == null ? SidrStatus.UNSUPPORTED : SidrStatus.NO_QP;
            machine.send(from, transaction, SidrInquiry.refusal(key, why, serviceId));
            return CmVerdict.REFUSED;
        }
        SidrInquiry inquiry = new SidrInquiry(machine, key, from, serviceId, service);
        waiting.put(key, inquiry);
        inquiry.begin();
        if (!service.asked(inquiry, request)) {
            inquiry.refuse(SidrStatus.NO_QP);
            return CmVerdict.REFUSED;
        }
        return CmVerdict.TAKEN;
    }

    /// A reply is kept as long as there is room: the newest replace the oldest, so that a peer that
    /// asks without end does not prevent replies to others.
    void answered(SidrInquiry inquiry) {
        waiting.remove(inquiry.key());
        if (answered.size() >= limit) {
            Iterator<SidrInquiry> oldest = answered.values().iterator();
            SidrInquiry first = oldest.next();
            oldest.remove();
            machine.disarm(first);
        }
        answered.put(inquiry.key(), inquiry);
    }

    void forget(SidrInquiry inquiry) {
        waiting.remove(inquiry.key(), inquiry);
        answered.remove(inquiry.key(), inquiry);
    }

    void forget(SidrQuestion question) {
        questions.remove(question.id(), question);
    }

    /// The number of local requests without a reply.
    public int questions() {
        return questions.size();
    }

    /// Questions of peers: those that wait, and those that are kept with their answers.
    public int inquiries() {
        return waiting.size() + answered.size();
    }
}
