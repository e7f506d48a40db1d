package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;
import java.util.List;
import java.util.function.Consumer;

/// Answers that the peer never gave, against the side that sends requests.
final class ResponseAttacks {
    private static final int VOLLEY = 8;

    private ResponseAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack("answers where nothing was asked", ResponseAttacks::idle),
                attack("answers to what was not sent yet", ResponseAttacks::notSent),
                attack("answers from a stranger", ResponseAttacks::stranger)
                        .needing(AttackPath.Need.SOURCES),
                attack("READ answer of another length", ResponseAttacks::readLength),
                attack("READ answer out of its place", ResponseAttacks::readPlace),
                attack("READ answer that runs ahead", ResponseAttacks::readAhead),
                attack("an answer of another kind", ResponseAttacks::otherKind),
                attack("acknowledgements instead of data", ResponseAttacks::ackForRead),
                attack("a flood of sequence NAKs", ResponseAttacks::sequenceNaks),
                attack("a flood of not-ready NAKs", ResponseAttacks::rnrNaks),
                attack("reserved syndromes", ResponseAttacks::reserved),
                attack("answers of bad form", ResponseAttacks::badForm),
                attack("a fatal NAK, as the peer could send", ResponseAttacks::fatalNak),
                attack("data for a READ, as the peer could send", ResponseAttacks::forgedData));
    }

    private static Attack attack(String name, Consumer<AttackRun> strike) {
        return new Attack("answers", name, strike);
    }

    /// An answer of any kind with payload where it carries some.
    private static void anyAnswer(AttackRun s, Target target, int psn) {
        Operation operation =
                s.pick(
                        Operation.READ_RESPONSE_FIRST,
                        Operation.READ_RESPONSE_MIDDLE,
                        Operation.READ_RESPONSE_LAST,
                        Operation.READ_RESPONSE_ONLY,
                        Operation.ACKNOWLEDGE,
                        Operation.ATOMIC_ACKNOWLEDGE);
        int payload =
                switch (operation) {
                    case READ_RESPONSE_FIRST, READ_RESPONSE_MIDDLE -> s.mtu;
                    case READ_RESPONSE_LAST, READ_RESPONSE_ONLY -> s.between(1, s.mtu);
                    default -> 0;
                };
        int syndrome =
                s.pick(
                        AethSyndrome.ACK_UNLIMITED,
                        AethSyndrome.RNR_NAK | 1,
                        AethSyndrome.NAK_SEQUENCE,
                        AethSyndrome.NAK_INVALID_REQUEST,
                        AethSyndrome.NAK_REMOTE_ACCESS,
                        AethSyndrome.NAK_REMOTE_OPERATION);
        s.forge(target, operation)
                .payload(payload)
                .answer(syndrome, 0)
                .operands(s.random.nextLong(), 0)
                .psn(psn);
    }

    private static void idle(AttackRun s) {
        Target target = s.pick(s.world.open, s.world.none, s.world.tenant);
        for (int i = 0; i < VOLLEY; i++) {
            int psn = s.pick(target.sendPsn, Psn.plus(target.sendPsn, -1), s.between(0, Psn.MASK));
            anyAnswer(s, target, psn);
            s.fire();
            s.dropped(Counter.GHOST_RESPONSE);
        }
    }

    /// A request of the target's that waits for its answer; returns its sequence number.
    private static int outstanding(AttackRun s, Operation operation, int length) {
        Target target = s.world.open;
        int psn = target.sendPsn;
        s.peer.post(target, operation, 0x1000, 0x55AA, length);
        if (s.sentPackets.count() != 1 || s.sentPackets.psn(0) != psn) {
            throw s.wrong("a request was to leave");
        }
        return psn;
    }

    /// The peer acknowledges a SEND after all.
    private static void finish(AttackRun s, int psn) {
        s.forge(s.world.open, Operation.ACKNOWLEDGE).answer(AethSyndrome.ACK_UNLIMITED, 1).psn(psn);
        s.fireGenuine();
        s.moved();
        s.completed(CompletionStatus.SUCCESS);
    }

    private static void notSent(AttackRun s) {
        Target target = s.world.open;
        int psn = outstanding(s, Operation.SEND_ONLY, 16);
        for (int i = 0; i < VOLLEY; i++) {
            anyAnswer(s, target, Psn.plus(psn, s.pick(1, 2, -1, -2, s.between(1, 1 << 23))));
            s.fire();
            s.dropped(Counter.GHOST_RESPONSE);
        }
        finish(s, psn);
    }

    private static void stranger(AttackRun s) {
        Target target = s.world.open;
        int psn = outstanding(s, Operation.SEND_ONLY, 16);
        for (int i = 0; i < VOLLEY; i++) {
            anyAnswer(s, target, psn);
            s.forger.from = s.world.node(s.between(100, 60_000));
            s.fire();
            s.dropped(Counter.DROPPED_SOURCE);
        }
        finish(s, psn);
    }

    /// The request fails with this, and with it the queue pair; no byte of it arrives.
    private static void bad(AttackRun s) {
        s.fire();
        s.moved(Counter.BAD_RESPONSE);
        ended(s, CompletionStatus.BAD_RESPONSE);
    }

    private static void ended(AttackRun s, CompletionStatus status) {
        s.completed(status);
        if (s.world.open.pair.state() != QueuePairState.ERROR || s.sentPackets.count() != 0) {
            throw s.wrong("the queue pair was to fail in silence");
        }
        s.world.open.isBroken = true;
    }

    private static void readLength(AttackRun s) {
        int length = s.between(2, s.mtu - 1);
        int psn = outstanding(s, Operation.READ_REQUEST, length);
        int payload = s.pick(0, length - 1, length + 1, s.mtu);
        s.forge(s.world.open, Operation.READ_RESPONSE_ONLY).payload(payload).psn(psn);
        bad(s);
    }

    private static void readPlace(AttackRun s) {
        boolean isShort = s.random.nextBoolean();
        int psn = outstanding(s, Operation.READ_REQUEST, isShort ? s.mtu : 2 * s.mtu);
        Operation operation =
                isShort
                        ? s.pick(
                                Operation.READ_RESPONSE_FIRST,
                                Operation.READ_RESPONSE_MIDDLE,
                                Operation.READ_RESPONSE_LAST)
                        : s.pick(
                                Operation.READ_RESPONSE_MIDDLE,
                                Operation.READ_RESPONSE_LAST,
                                Operation.READ_RESPONSE_ONLY);
        s.forge(s.world.open, operation).payload(s.mtu).psn(psn);
        bad(s);
    }

    /// The second packet of an answer before the first: asked for again, once.
    private static void readAhead(AttackRun s) {
        int psn = outstanding(s, Operation.READ_REQUEST, 2 * s.mtu);
        for (int i = 0; i < VOLLEY; i++) {
            s.forge(s.world.open, Operation.READ_RESPONSE_LAST)
                    .payload(s.mtu)
                    .psn(Psn.plus(psn, 1));
            s.fire();
            repeatedOnce(s, i == 0);
        }
        s.world.open.isBroken = true;
    }

    private static void repeatedOnce(AttackRun s, boolean first) {
        if (first) {
            s.moved();
            if (s.sentPackets.count() != 1 || s.sentPackets.operation(0).isResponse()) {
                throw s.wrong("the request was to be sent again");
            }
        } else {
            s.dropped(Counter.IGNORED_NAK);
        }
    }

    private static void otherKind(AttackRun s) {
        switch (s.random.nextInt(3)) {
            case 0 -> {
                int psn = outstanding(s, Operation.SEND_ONLY, 16);
                Operation operation =
                        s.pick(Operation.READ_RESPONSE_ONLY, Operation.ATOMIC_ACKNOWLEDGE);
                s.forge(s.world.open, operation)
                        .payload(operation == Operation.READ_RESPONSE_ONLY ? 16 : 0)
                        .psn(psn);
            }
            case 1 -> {
                int psn = outstanding(s, Operation.READ_REQUEST, 8);
                s.forge(s.world.open, Operation.ATOMIC_ACKNOWLEDGE).operands(-1, 0).psn(psn);
            }
            default -> {
                int psn = outstanding(s, Operation.FETCH_ADD, 8);
                s.forge(s.world.open, Operation.READ_RESPONSE_ONLY).payload(8).psn(psn);
            }
        }
        bad(s);
    }

    private static void ackForRead(AttackRun s) {
        Operation operation = s.pick(Operation.READ_REQUEST, Operation.FETCH_ADD);
        int psn = outstanding(s, operation, 8);
        for (int i = 0; i < VOLLEY; i++) {
            s.forge(s.world.open, Operation.ACKNOWLEDGE).psn(psn);
            s.fire();
            repeatedOnce(s, i == 0);
        }
        s.world.open.isBroken = true;
    }

    private static void sequenceNaks(AttackRun s) {
        int psn = outstanding(s, Operation.SEND_ONLY, 16);
        for (int i = 0; i < VOLLEY; i++) {
            s.forge(s.world.open, Operation.ACKNOWLEDGE)
                    .answer(AethSyndrome.NAK_SEQUENCE, 0)
                    .psn(psn);
            s.fire();
            repeatedOnce(s, i == 0);
        }
        finish(s, psn);
    }

    private static void rnrNaks(AttackRun s) {
        int psn = outstanding(s, Operation.SEND_ONLY, 16);
        for (int i = 0; i < VOLLEY; i++) {
            s.forge(s.world.open, Operation.ACKNOWLEDGE)
                    .answer(AethSyndrome.RNR_NAK | s.world.path.rnrTimer(s.between(0, 31)), 0)
                    .psn(psn);
            s.fire();
            if (i == 0) {
                s.dropped();
            } else {
                s.dropped(Counter.IGNORED_NAK);
            }
        }
        finish(s, psn);
    }

    private static void reserved(AttackRun s) {
        int psn = outstanding(s, Operation.SEND_ONLY, 16);
        for (int i = 0; i < VOLLEY; i++) {
            s.forge(s.world.open, Operation.ACKNOWLEDGE)
                    .answer(s.pick(0x40, 0x80, 0xA0, 0xC0, 0xE0) | s.between(0, 31), 0)
                    .psn(psn);
            s.fire();
            s.dropped(Counter.GHOST_RESPONSE);
        }
        s.forge(s.world.open, Operation.ACKNOWLEDGE)
                .answer(AethSyndrome.NAK | s.between(4, 31), 0)
                .psn(psn);
        bad(s);
    }

    private static void badForm(AttackRun s) {
        int psn = outstanding(s, Operation.READ_REQUEST, s.mtu);
        Operation operation =
                s.pick(
                        Operation.ACKNOWLEDGE,
                        Operation.ATOMIC_ACKNOWLEDGE,
                        Operation.READ_RESPONSE_FIRST,
                        Operation.READ_RESPONSE_LAST);
        // A byte or four where nothing or an MTU belongs; nothing where something belongs.
        int payload = operation == Operation.READ_RESPONSE_LAST ? 0 : s.pick(1, 4);
        s.forge(s.world.open, operation).payload(payload).psn(Psn.plus(psn, 1));
        s.fire();
        s.dropped(Counter.GHOST_RESPONSE);
        s.forger.psn(psn);
        bad(s);
    }

    /// An attacker that can forge the peer's packets can end its connection, and nothing else.
    private static void fatalNak(AttackRun s) {
        int psn = outstanding(s, s.pick(Operation.SEND_ONLY, Operation.READ_REQUEST), 16);
        int which = s.between(0, 2);
        s.forge(s.world.open, Operation.ACKNOWLEDGE)
                .answer(AethSyndrome.NAK_INVALID_REQUEST + which, 0)
                .psn(psn);
        s.fire();
        s.moved();
        ended(
                s,
                switch (which) {
                    case 0 -> CompletionStatus.REMOTE_INVALID_REQUEST;
                    case 1 -> CompletionStatus.REMOTE_ACCESS_ERROR;
                    default -> CompletionStatus.REMOTE_OPERATION_ERROR;
                });
    }

    /// It looks like the true answer; it gets no further than the bytes that wait for it.
    private static void forgedData(AttackRun s) {
        int length = s.between(1, s.mtu);
        int psn = outstanding(s, Operation.READ_REQUEST, length);
        s.forge(s.world.open, Operation.READ_RESPONSE_ONLY).payload(length).psn(psn);
        s.fire();
        s.moved();
        s.allow(s.world.local.address, length);
        s.completed(CompletionStatus.SUCCESS);
    }
}
