package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;
import dev.verbena.wire.SackEth;
import java.util.List;
import java.util.function.Consumer;

/// Selective acknowledgements that say what is not so, against the side that sends requests.
final class SelectiveAnswerAttacks {
    private static final int VOLLEY = 8;
    private static final long ALL = -1;

    private SelectiveAnswerAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack("a map where nothing was sent", SelectiveAnswerAttacks::idle),
                attack("a map of what was not sent yet", SelectiveAnswerAttacks::notSent),
                attack("a map that begins elsewhere", SelectiveAnswerAttacks::elsewhere),
                attack("a map with payload", SelectiveAnswerAttacks::badForm),
                attack("the oldest is called placed", SelectiveAnswerAttacks::oldestPlaced),
                attack("the packet in flight is called lost", SelectiveAnswerAttacks::calledLost),
                attack("a map instead of data", SelectiveAnswerAttacks::insteadOfData),
                attack("a flood of sequence NAKs", SelectiveAnswerAttacks::sequenceNaks));
    }

    private static Attack attack(String name, Consumer<AttackRun> strike) {
        return new Attack("selective answers", name, strike);
    }

    private static Target target(AttackRun s) {
        return s.world.selective;
    }

    /// The newest that it names is a packet from before all that is in flight, so it says nothing.
    private static PacketForger sack(AttackRun s, int psn, int start, long word) {
        return s.forge(target(s), Operation.SELECTIVE_ACKNOWLEDGE)
                .answer(AethSyndrome.ACK_UNLIMITED, 0)
                .select(start, Psn.plus(target(s).sendPsn, -1 - SackEth.REACH), word)
                .psn(psn);
    }

    /// A request of the target's that waits for its answer; returns its sequence number.
    private static int outstanding(AttackRun s, Operation operation, int length) {
        int psn = target(s).sendPsn;
        s.peer.post(target(s), operation, 0x1000, 0x55AA, length);
        if (s.sentPackets.count() != 1 || s.sentPackets.psn(0) != psn) {
            throw s.wrong("a request was to leave");
        }
        return psn;
    }

    private static void finish(AttackRun s, int psn) {
        s.forge(target(s), Operation.ACKNOWLEDGE).answer(AethSyndrome.ACK_UNLIMITED, 1).psn(psn);
        s.fireGenuine();
        s.moved();
        s.completed(CompletionStatus.SUCCESS);
    }

    private static void idle(AttackRun s) {
        int next = target(s).sendPsn;
        for (int i = 0; i < VOLLEY; i++) {
            int psn = s.pick(next, Psn.plus(next, -1), s.between(0, Psn.MASK));
            sack(s, psn, s.pick(Psn.plus(next, 1), Psn.plus(next, -1)), ALL);
            s.fire();
            s.dropped(Counter.GHOST_RESPONSE);
            sack(s, psn, next, ALL);
            s.fire();
            s.dropped();
        }
    }

    /// All that the map has bits for, of which one packet is in flight.
    private static void notSent(AttackRun s) {
        int psn = outstanding(s, Operation.SEND_ONLY, 16);
        for (int i = 0; i < VOLLEY; i++) {
            sack(s, s.pick(Psn.plus(psn, -1), Psn.plus(psn, 1)), psn, ALL);
            s.fire();
            s.dropped();
        }
        finish(s, psn);
    }

    private static void elsewhere(AttackRun s) {
        int psn = outstanding(s, Operation.SEND_ONLY, 16);
        for (int i = 0; i < VOLLEY; i++) {
            int start =
                    s.pick(
                            Psn.plus(psn, -1),
                            Psn.plus(psn, 2),
                            Psn.plus(psn, SackEth.REACH),
                            Psn.plus(psn, -SackEth.REACH),
                            Psn.plus(psn, 1 << 23));
            // The acknowledgement in it is as wrong as the rest.
            sack(s, psn, start, s.random.nextLong());
            s.fire();
            s.dropped(Counter.GHOST_RESPONSE);
        }
        finish(s, psn);
    }

    private static void badForm(AttackRun s) {
        int psn = outstanding(s, Operation.SEND_ONLY, 16);
        sack(s, psn, psn, 0).payload(s.pick(1, 4, s.mtu));
        s.fire();
        s.dropped(Counter.GHOST_RESPONSE);
        finish(s, psn);
    }

    /// It takes a peer that contradicts itself; the connection ends with the next true answer.
    private static void oldestPlaced(AttackRun s) {
        int first = outstanding(s, Operation.WRITE_ONLY, 16);
        int second = outstanding(s, Operation.WRITE_ONLY, 16);
        sack(s, first, first, ALL);
        s.fire();
        s.moved();
        s.completed(CompletionStatus.SUCCESS);
        for (int i = 0; i < VOLLEY; i++) {
            sack(s, first, second, s.random.nextLong());
            s.fire();
            s.dropped();
        }
        finish(s, second);
    }

    /// Each of them costs the packet once more, and no more than it.
    private static void calledLost(AttackRun s) {
        int psn = outstanding(s, Operation.SEND_ONLY, 16);
        for (int i = 0; i < VOLLEY; i++) {
            sack(s, Psn.plus(psn, -1), psn, s.random.nextLong());
            s.forger.select(psn, psn, s.random.nextLong());
            s.fire();
            s.moved();
            s.unmoved();
            if (s.sentPackets.count() != 1
                    || s.sentPackets.operation(0) != Operation.SEND_ONLY
                    || s.sentPackets.psn(0) != psn) {
                throw s.wrong("the packet was to be sent once more");
            }
        }
        finish(s, psn);
    }

    private static void insteadOfData(AttackRun s) {
        Operation operation = s.pick(Operation.READ_REQUEST, Operation.FETCH_ADD);
        int psn = outstanding(s, operation, 8);
        for (int i = 0; i < VOLLEY; i++) {
            sack(s, psn, s.pick(psn, Psn.plus(psn, 1)), ALL);
            s.fire();
            if (i == 0) {
                s.moved();
                if (s.sentPackets.count() != 1 || s.sentPackets.psn(0) != psn) {
                    throw s.wrong("the request was to be sent again");
                }
            } else {
                s.dropped(Counter.IGNORED_NAK);
            }
        }
        target(s).isBroken = true;
    }

    private static void sequenceNaks(AttackRun s) {
        int psn = outstanding(s, Operation.SEND_ONLY, 16);
        for (int i = 0; i < VOLLEY; i++) {
            s.forge(target(s), Operation.ACKNOWLEDGE).answer(AethSyndrome.NAK_SEQUENCE, 0).psn(psn);
            s.fire();
            s.dropped(Counter.IGNORED_NAK);
        }
        finish(s, psn);
    }
}
