package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.Resolution;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Payload;
import dev.verbena.wire.mad.CmDrep;
import dev.verbena.wire.mad.CmDreq;
import dev.verbena.wire.mad.CmMessage;
import dev.verbena.wire.mad.CmMra;
import dev.verbena.wire.mad.CmRej;
import dev.verbena.wire.mad.CmRep;
import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.CmRtu;
import dev.verbena.wire.mad.CmSidrRep;
import dev.verbena.wire.mad.CmSidrReq;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.RejectReason;
import dev.verbena.wire.mad.SidrStatus;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;

/// Forged management datagrams at queue pair 1, which accepts datagrams from all hosts: no queue
/// pair changes its state, no table grows beyond its limit, and rightful peers still connect and
/// resolve.
final class ManagementAttacks {
    private static final int VOLLEY = 8;
    private static final int FLOOD = 4 * AttackedConnectionManager.BACKLOG;
    private static final int MANY = 2 * AttackedConnectionManager.SETTINGS.connections();

    private ManagementAttacks() {}

    static List<Attack> all() {
        return List.of(
                silent("a datagram of another length", ManagementAttacks::length),
                silent("another version, class, method or message", ManagementAttacks::form),
                silent("a wrong key or partition", ManagementAttacks::keys),
                silent("another operation", ManagementAttacks::operation),
                attack("requests for unknown services", ManagementAttacks::nobody),
                attack("requests beyond the backlog", ManagementAttacks::backlog),
                attack("requests beyond all connections", ManagementAttacks::table),
                attack("a request with an invalid header", ManagementAttacks::header),
                attack("connection numbers that are a bit off", ManagementAttacks::numbers),
                attack("right numbers from another address", ManagementAttacks::source),
                attack("the end of another queue pair", ManagementAttacks::otherPair),
                attack("a peer's name that is a bit off", ManagementAttacks::name),
                attack("messages that were captured", ManagementAttacks::replay),
                attack("answers to a request of ours", ManagementAttacks::answers),
                attack("answers to a question of ours", ManagementAttacks::resolved),
                attack("questions beyond the backlog", ManagementAttacks::questions),
                attack("questions without end, all answered", ManagementAttacks::answered));
    }

    private static Attack silent(String name, Consumer<AttackRun> strike) {
        return new Attack("management", name, strike);
    }

    private static Attack attack(String name, Consumer<AttackRun> strike) {
        return silent(name, strike).needing(AttackPath.Need.MANAGEMENT);
    }

    private static AttackFrames.Node stranger(AttackRun s) {
        return s.world.node(s.between(100, 60_000));
    }

    private static int bit(AttackRun s) {
        return 1 << s.random.nextInt(Integer.SIZE);
    }

    /// It is heard, but for this check comes to nothing, not even an answer.
    private static void unanswered(AttackRun s, Counter by) {
        s.fire();
        s.moved(Counter.RECEIVED_MANAGEMENT, by);
        if (s.sentPackets.count() != 0) {
            throw s.wrong("it was not to be answered");
        }
        s.unmoved();
    }

    /// It comes to one answer, which goes where it seemed to come from.
    private static <T extends CmMessage> T answered(AttackRun s, Class<T> kind, Counter by) {
        s.fire();
        s.moved(Counter.RECEIVED_MANAGEMENT, by);
        T answer = s.manager.last(kind);
        Address place = s.sentPackets.place(0);
        if (s.sentPackets.count() != 1
                || place.lid() != s.forger.from.lid()
                || !place.gid().equals(s.forger.from.gid())) {
            throw s.wrong("one answer was to go to " + s.forger.from + ", not to " + place);
        }
        s.unmoved();
        return answer;
    }

    private static void untouched(AttackRun s) {
        if (!s.manager.link().isUntouched()) {
            throw s.wrong("a connection of others was touched: " + s.manager.link().connection());
        }
    }

    /// Something that would be heard if all were right.
    private static CmMessage sound(AttackRun s, AttackFrames.Node from) {
        return s.random.nextBoolean()
                ? s.manager.request(from, AttackedConnectionManager.PORT, false)
                : s.manager.question(from, AttackedConnectionManager.PORT, false);
    }

    private static AttackFrames.Node peer(AttackRun s) {
        return s.world.datagrams.peer;
    }

    private static void length(AttackRun s) {
        for (int i = 0; i < VOLLEY; i++) {
            s.manager.say(peer(s), s.random.nextLong(), sound(s, peer(s)));
            int length = s.pick(0, 4, 24, 252, 255, 257, 260, s.between(0, 1024));
            if (length != Mad.LENGTH_TOTAL) {
                s.forger.payload(length);
                s.fire();
                s.dropped(Counter.DROPPED_MANAGEMENT);
            }
        }
    }

    private static void form(AttackRun s) {
        MemorySegment posting = s.manager.posting;
        for (int i = 0; i < VOLLEY; i++) {
            s.manager.say(peer(s), s.random.nextLong(), sound(s, peer(s)));
            switch (s.random.nextInt(3)) {
                // Base version, class, class version or method.
                case 0 -> BigEndian.put8(posting, s.random.nextInt(4), s.random.nextInt(256));
                case 1 -> BigEndian.put16(posting, 16, s.random.nextInt(1 << 16));
                default -> {
                    for (long at = 0; at < Mad.LENGTH; at++) {
                        BigEndian.put8(posting, at, s.random.nextInt(256));
                    }
                }
            }
            if (!CmMessage.check(posting, 0, Mad.LENGTH_TOTAL).isOk()) {
                s.manager.post(peer(s));
                s.fire();
                s.dropped(Counter.DROPPED_MANAGEMENT);
            }
        }
    }

    private static void keys(AttackRun s) {
        for (int i = 0; i < VOLLEY; i++) {
            s.manager.say(peer(s), s.random.nextLong(), sound(s, peer(s)));
            if (s.random.nextBoolean()) {
                s.forger.queueKey ^= bit(s);
            } else {
                s.forger.pkey = s.pick(0, 0x8000, DeviceUnderAttack.LIMITED_PKEY, 0xFFFF);
            }
            s.fire();
            s.dropped(Counter.DROPPED_MANAGEMENT);
        }
    }

    private static void operation(AttackRun s) {
        for (int i = 0; i < VOLLEY; i++) {
            s.manager.say(peer(s), s.random.nextLong(), sound(s, peer(s)));
            int code = s.forger.code;
            // With immediate data; or of a reliable or an unreliable connection.
            s.forger.code =
                    s.pick(
                            (code & 0xE0) | Operation.SEND_ONLY_IMMEDIATE.code(),
                            code & 0x1F,
                            (code & 0x1F) | 0x20);
            s.fire();
            s.dropped(Counter.DROPPED_MANAGEMENT);
        }
    }

    private static void nobody(AttackRun s) {
        s.manager.link();
        int before = s.manager.machine().size();
        for (int i = 0; i < VOLLEY; i++) {
            AttackFrames.Node from = stranger(s);
            int port = s.between(AttackedConnectionManager.WIDE_PORT + 1, 0xFFFF);
            if (s.random.nextBoolean()) {
                s.manager.say(from, i, s.manager.request(from, port, false));
                CmRej refusal = answered(s, CmRej.class, Counter.REFUSED_MANAGEMENT);
                if (!refusal.reason().equals(RejectReason.INVALID_SERVICE_ID)) {
                    throw s.wrong("it was refused for " + refusal.reason());
                }
            } else {
                s.manager.say(from, i, s.manager.question(from, port, false));
                CmSidrRep refusal = answered(s, CmSidrRep.class, Counter.REFUSED_MANAGEMENT);
                if (!refusal.status().equals(SidrStatus.UNSUPPORTED)) {
                    throw s.wrong("it was refused for " + refusal.status());
                }
            }
        }
        if (s.manager.machine().size() != before) {
            throw s.wrong("requests for unknown services were kept");
        }
    }

    /// So many requests to connect of strangers, of which so many are taken.
    private static void flood(AttackRun s, int port, int count, int taken) {
        for (int i = 0; i < count; i++) {
            AttackFrames.Node from = stranger(s);
            s.manager.say(from, s.random.nextLong(), s.manager.request(from, port, false));
            if (i < taken) {
                s.fire();
                s.moved(Counter.RECEIVED_MANAGEMENT);
            } else {
                CmRej refusal = answered(s, CmRej.class, Counter.REFUSED_MANAGEMENT);
                if (!refusal.reason().equals(RejectReason.NO_RESOURCES)) {
                    throw s.wrong("it was refused for " + refusal.reason());
                }
            }
            AttackedConnectionManager.requireBounded(s.manager.machine());
        }
    }

    private static void backlog(AttackRun s) {
        s.manager.link();
        int before = s.manager.machine().size();
        flood(s, AttackedConnectionManager.PORT, FLOOD, AttackedConnectionManager.BACKLOG);
        if (s.manager.turnAllAway() != before) {
            throw s.wrong("requests that were turned away were kept");
        }
        // A program that keeps up finds its peers between the others.
        flood(
                s,
                AttackedConnectionManager.PORT,
                AttackedConnectionManager.BACKLOG - 1,
                AttackedConnectionManager.BACKLOG - 1);
        s.manager.works();
    }

    private static void table(AttackRun s) {
        s.manager.link();
        int before = s.manager.machine().size();
        flood(
                s,
                AttackedConnectionManager.WIDE_PORT,
                MANY,
                AttackedConnectionManager.SETTINGS.connections() - before);
        if (s.manager.turnAllAway() != before) {
            throw s.wrong("requests that were turned away were kept");
        }
        s.manager.works();
    }

    /// What it says of itself does not fit this device.
    private static void header(AttackRun s) {
        s.manager.link();
        for (int i = 0; i < VOLLEY; i++) {
            AttackFrames.Node from = stranger(s);
            boolean isQuestion = s.random.nextBoolean();
            s.manager.say(
                    from,
                    i,
                    isQuestion
                            ? s.manager.question(from, AttackedConnectionManager.PORT, false)
                            : s.manager.request(from, AttackedConnectionManager.PORT, false));
            int privateData = Mad.LENGTH + (isQuestion ? 16 : 140);
            BigEndian.put8(s.manager.posting, privateData, s.between(1, 255));
            s.manager.post(from);
            if (isQuestion) {
                CmSidrRep refusal = answered(s, CmSidrRep.class, Counter.REFUSED_MANAGEMENT);
                if (!refusal.status().equals(SidrStatus.UNSUPPORTED_VERSION)) {
                    throw s.wrong("it was refused for " + refusal.status());
                }
            } else {
                answered(s, CmRej.class, Counter.REFUSED_MANAGEMENT);
            }
        }
        if (!s.manager.isQuiet()) {
            throw s.wrong("the program got an event");
        }
    }

    /// All that could be said of a connection, by these numbers.
    private static void meddle(AttackRun s, AttackFrames.Node from, int theirs, int ours) {
        AttackedConnectionManager.Link link = s.manager.link();
        long transaction = s.random.nextBoolean() ? link.transaction() : s.random.nextLong();
        Payload nothing = Payload.EMPTY;
        CmRej refusal =
                new CmRej(theirs, ours, 1, 0, RejectReason.CONSUMER_DEFINED, nothing, nothing);
        CmDreq over = new CmDreq(theirs, ours, link.pair().number(), nothing);
        for (CmMessage message :
                List.of(
                        new CmRtu(theirs, ours, nothing),
                        new CmMra(theirs, ours, 0, 31, nothing),
                        refusal,
                        new CmDrep(theirs, ours, nothing))) {
            s.manager.say(from, transaction, message);
            unanswered(s, Counter.STRAY_MANAGEMENT);
        }
        s.manager.say(from, transaction, reply(s, theirs, ours));
        answered(s, CmRej.class, Counter.STRAY_MANAGEMENT);
        s.manager.say(from, transaction, over);
        answered(s, CmDrep.class, Counter.STRAY_MANAGEMENT);
        untouched(s);
    }

    private static CmRep reply(AttackRun s, int theirs, int ours) {
        return CmRep.builder()
                .localCommunicationId(theirs)
                .remoteCommunicationId(ours)
                .localCaGuid(s.random.nextLong())
                .localQpn(s.between(16, 0xFF_FFFE))
                .startingPsn(s.random.nextInt(1 << 24))
                .responderResources(4)
                .initiatorDepth(4)
                .build();
    }

    private static void numbers(AttackRun s) {
        AttackedConnectionManager.Link link = s.manager.link();
        meddle(s, link.peer(), link.theirs(), link.ours() ^ bit(s));
    }

    private static void source(AttackRun s) {
        AttackedConnectionManager.Link link = s.manager.link();
        meddle(s, stranger(s), link.theirs(), link.ours());
    }

    private static void otherPair(AttackRun s) {
        AttackedConnectionManager.Link link = s.manager.link();
        for (int i = 0; i < VOLLEY; i++) {
            int number = link.pair().number() ^ (1 << s.random.nextInt(24));
            CmDreq over = new CmDreq(link.theirs(), link.ours(), number, Payload.EMPTY);
            s.manager.say(link.peer(), s.random.nextLong(), over);
            unanswered(s, Counter.STRAY_MANAGEMENT);
        }
        untouched(s);
    }

    /// A peer that waited in vain is identified by its GUID, its number and its address.
    private static void name(AttackRun s) {
        AttackedConnectionManager.Link link = s.manager.link();
        for (int i = 0; i < VOLLEY; i++) {
            int which = s.random.nextInt(3);
            long guid = link.request().localCaGuid() ^ (which == 0 ? 1L << s.between(0, 63) : 0);
            int theirs = link.theirs() ^ (which == 1 ? bit(s) : 0);
            byte[] info = new byte[CmRej.INFO_LENGTH_MAX];
            BigEndian.put64(MemorySegment.ofArray(info), 0, guid);
            CmRej refusal =
                    new CmRej(
                            theirs,
                            0,
                            0,
                            Long.BYTES,
                            RejectReason.TIMEOUT,
                            Payload.of(info),
                            Payload.EMPTY);
            s.manager.say(which == 2 ? stranger(s) : link.peer(), link.transaction(), refusal);
            unanswered(s, Counter.STRAY_MANAGEMENT);
        }
        untouched(s);
    }

    private static void replay(AttackRun s) {
        AttackedConnectionManager.Link link = s.manager.link();
        s.manager.say(link.peer(), link.transaction(), link.request());
        unanswered(s, Counter.REPEATED_MANAGEMENT);
        Payload nothing = Payload.EMPTY;
        s.manager.say(
                link.peer(), link.transaction(), new CmRtu(link.theirs(), link.ours(), nothing));
        unanswered(s, Counter.REPEATED_MANAGEMENT);
        s.manager.say(
                link.peer(), link.transaction(), new CmDrep(link.theirs(), link.ours(), nothing));
        unanswered(s, Counter.REPEATED_MANAGEMENT);
        AttackFrames.Node from = stranger(s);
        CmSidrReq question = s.manager.question(from, AttackedConnectionManager.PORT, false);
        s.manager.say(from, 5, question);
        s.fire();
        s.moved(Counter.RECEIVED_MANAGEMENT);
        s.manager.say(from, 5, question);
        unanswered(s, Counter.REPEATED_MANAGEMENT);
        s.manager.answerAll();
        CmSidrRep answer = s.manager.last(CmSidrRep.class);
        s.manager.say(from, 5, question);
        if (!answered(s, CmSidrRep.class, Counter.REPEATED_MANAGEMENT).equals(answer)) {
            throw s.wrong("the same question was answered otherwise");
        }
        if (!s.manager.isQuiet()) {
            throw s.wrong("the program was asked again");
        }
        untouched(s);
    }

    private static Address wayTo(AttackRun s, AttackFrames.Node there) {
        boolean hasGid = s.world.shape.layer == LinkLayer.ETHERNET || there.gid().low() != 0;
        return new Address(there.lid(), there.gid(), 0, 0, 0, hasGid ? 64 : 0, 0, 4791);
    }

    private static void answers(AttackRun s) {
        s.manager.link();
        AttackFrames.Node there = s.world.node(18);
        TransportQueuePair pair = s.manager.pair(QueuePairType.RC);
        Connection wanted =
                s.world.device.connect(pair, wayTo(s, there), AttackedConnectionManager.PORT);
        s.again();
        long transaction = s.sentPackets.message(0).transactionId();
        CmReq request = s.manager.last(CmReq.class);
        int ours = request.localCommunicationId();
        meddle(s, there, 7, ours ^ bit(s));
        meddle(s, stranger(s), 7, ours);
        if (pair.state() != QueuePairState.INIT || wanted.state() != Connection.State.CONNECTING) {
            throw s.wrong("a forged answer brought " + pair + " to " + pair.state());
        }
        CmRep reply = reply(s, 7, ours);
        s.manager.say(there, transaction, reply);
        s.manager.fireGenuine();
        s.manager.last(CmRtu.class);
        if (wanted.state() != Connection.State.ESTABLISHED) {
            throw s.wrong("the true answer came to " + wanted.state());
        }
        wanted.disconnect();
        s.again();
        s.manager.last(CmDreq.class);
        s.manager.say(there, transaction, new CmDrep(7, ours, Payload.EMPTY));
        s.manager.fireGenuine();
        s.manager.close(pair);
    }

    private static void resolved(AttackRun s) {
        s.manager.link();
        AttackFrames.Node there = s.world.node(18);
        Resolution wanted = s.world.device.resolve(wayTo(s, there), AttackedConnectionManager.PORT);
        s.again();
        long transaction = s.sentPackets.message(0).transactionId();
        CmSidrReq question = s.manager.last(CmSidrReq.class);
        int number = s.between(16, 0xFF_FFFE);
        for (int i = 0; i < VOLLEY; i++) {
            int which = i & 3;
            s.manager.say(
                    which == 0 ? stranger(s) : there,
                    transaction ^ (which == 1 ? 1L << s.between(0, 63) : 0),
                    answer(
                            question.requestId() ^ (which == 2 ? bit(s) : 0),
                            question.serviceId() ^ (which == 3 ? 1L << s.between(0, 63) : 0),
                            s.between(16, 0xFF_FFFE)));
            unanswered(s, Counter.STRAY_MANAGEMENT);
        }
        if (wanted.state() != Resolution.State.ASKING) {
            throw s.wrong("a forged answer was believed");
        }
        s.manager.say(
                there, transaction, answer(question.requestId(), question.serviceId(), number));
        s.manager.fireGenuine();
        if (wanted.state() != Resolution.State.RESOLVED || wanted.queuePair() != number) {
            throw s.wrong("the true answer came to " + wanted.state());
        }
    }

    private static CmSidrRep answer(int requestId, long serviceId, int number) {
        return new CmSidrRep(
                requestId,
                SidrStatus.VALID,
                0,
                0,
                number,
                serviceId,
                1,
                Payload.EMPTY,
                Payload.EMPTY);
    }

    private static void questions(AttackRun s) {
        s.manager.link();
        for (int i = 0; i < FLOOD; i++) {
            AttackFrames.Node from = stranger(s);
            s.manager.say(from, i, s.manager.question(from, AttackedConnectionManager.PORT, false));
            if (i < AttackedConnectionManager.BACKLOG) {
                s.fire();
                s.moved(Counter.RECEIVED_MANAGEMENT);
            } else {
                CmSidrRep refusal = answered(s, CmSidrRep.class, Counter.REFUSED_MANAGEMENT);
                if (!refusal.status().equals(SidrStatus.NO_QP)) {
                    throw s.wrong("it was refused for " + refusal.status());
                }
            }
            AttackedConnectionManager.requireBounded(s.manager.machine());
        }
        s.manager.answerAll();
        s.manager.works();
    }

    private static void answered(AttackRun s) {
        s.manager.link();
        for (int i = 0; i < 3 * AttackedConnectionManager.SETTINGS.resolutions(); i++) {
            AttackFrames.Node from = stranger(s);
            s.manager.say(from, i, s.manager.question(from, AttackedConnectionManager.PORT, false));
            s.fire();
            s.moved(Counter.RECEIVED_MANAGEMENT);
            s.manager.answerAll();
            AttackedConnectionManager.requireBounded(s.manager.machine());
        }
        s.manager.works();
    }
}
