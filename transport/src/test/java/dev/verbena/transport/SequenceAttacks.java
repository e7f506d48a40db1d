package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;
import java.util.List;
import java.util.function.Consumer;

/// Sequence numbers that are not the expected one, and repetitions that are not the same.
final class SequenceAttacks {
    private static final int HALF = 1 << 23;
    private static final int VOLLEY = 8;

    private SequenceAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack("ahead", s -> ahead(s, s.between(1, HALF - 1))),
                attack("the next but one", s -> ahead(s, 1)),
                attack("WRITE or SEND from behind", s -> behind(s, s.between(1, HALF))),
                attack("WRITE or SEND of half the space", s -> behind(s, HALF)),
                attack("READ or atomic from behind", SequenceAttacks::forgotten),
                attack("READ repeated as it was", SequenceAttacks::readAgain),
                attack("READ repeated for other bytes", SequenceAttacks::readOther),
                attack("READ repeated from its middle", SequenceAttacks::readMiddle),
                attack("atomic repeated", SequenceAttacks::atomicAgain),
                attack("READ for an atomic, atomic for a READ", SequenceAttacks::crossed),
                attack("a repetition of bad form", SequenceAttacks::badForm),
                attack("SEND repeated", SequenceAttacks::sendAgain),
                attack("packets of an earlier connection", SequenceAttacks::earlierConnection));
    }

    private static Attack attack(String name, Consumer<AttackRun> strike) {
        return new Attack("sequence", name, strike);
    }

    private static void ahead(AttackRun s, int distance) {
        Target target = s.world.open;
        for (int i = 0; i < VOLLEY; i++) {
            s.peer.oneSided(target, s.world.shared, s.world.shared.key);
            s.forger.psn(Psn.plus(target.expectedPsn, distance));
            s.fire();
            if (i == 0) {
                s.answered(AethSyndrome.NAK_SEQUENCE, target.expectedPsn, Counter.OUT_OF_SEQUENCE);
            } else {
                s.dropped(Counter.OUT_OF_SEQUENCE, Counter.SILENT_OUT_OF_SEQUENCE);
            }
        }
        s.peer.write(target, s.world.shared, 0, 8);
    }

    private static void behind(AttackRun s, int distance) {
        Target target = s.world.open;
        if (target.receives == 0) {
            s.peer.receive(target, s.mtu);
        }
        AttackRegion area = s.world.shared;
        // An acknowledgement has the number of no READ, so the last request must be none.
        s.peer.write(target, area, 0, 8);
        for (int i = 0; i < VOLLEY; i++) {
            Operation operation =
                    s.pick(
                            Operation.WRITE_ONLY,
                            Operation.WRITE_ONLY_IMMEDIATE,
                            Operation.SEND_ONLY,
                            Operation.SEND_ONLY_INVALIDATE);
            s.forge(target, operation)
                    .remote(area.address, area.key, 16)
                    .invalidate(s.world.fleeting.key)
                    .payload(16)
                    .psn(Psn.plus(target.expectedPsn, -distance));
            s.fire();
            s.answered(
                    AethSyndrome.ACK, Psn.plus(target.expectedPsn, -1), Counter.DUPLICATE_REQUEST);
        }
    }

    private static void forgotten(AttackRun s) {
        Target target = s.pick(s.world.open, s.world.writer, s.world.tenant);
        AttackRegion area = target == s.world.tenant ? s.world.foreign : s.world.shared;
        for (int i = 0; i < VOLLEY; i++) {
            int psn = Psn.plus(target.expectedPsn, -s.between(1, HALF));
            if (!target.remembers(psn)) {
                Operation operation =
                        s.pick(Operation.READ_REQUEST, Operation.FETCH_ADD, Operation.COMPARE_SWAP);
                s.forge(target, operation)
                        .remote(area.address, area.key, 8)
                        .operands(1, s.world.field.word(area.address))
                        .psn(psn);
                s.fire();
                s.dropped(Counter.DUPLICATE_REQUEST, Counter.FORGOTTEN_DUPLICATE);
            }
        }
    }

    private static void readAgain(AttackRun s) {
        Target target = s.world.open;
        AttackRegion area = s.pick(s.world.readable, s.world.shared);
        int length = s.between(1, 2 * s.mtu);
        int psn = target.expectedPsn;
        s.peer.read(target, area, 1, length);
        for (int i = 0; i < 3; i++) {
            s.forge(target, Operation.READ_REQUEST)
                    .remote(area.address + 1, area.key, length)
                    .psn(psn);
            s.fire();
            s.moved(Counter.DUPLICATE_REQUEST, Counter.REPLAYED_READ);
            s.peer.answers(target, area.address + 1, length, psn);
        }
    }

    private static void readOther(AttackRun s) {
        Target target = s.world.open;
        AttackRegion area = s.world.readable;
        AttackRegion other =
                s.pick(s.world.shared, s.world.sealed, s.world.foreign, s.world.receives);
        int length = s.between(s.mtu + 1, 2 * s.mtu);
        int psn = target.expectedPsn;
        s.peer.read(target, area, 2, length);
        long address = area.address + 2;
        for (int i = 0; i < VOLLEY; i++) {
            s.forge(target, Operation.READ_REQUEST).psn(psn);
            switch (s.random.nextInt(7)) {
                case 0 -> s.forger.remote(address + s.pick(-1, 1, 8), area.key, length);
                case 1 -> s.forger.remote(address, area.key, length + s.pick(-1, 1, s.mtu));
                case 2 -> s.forger.remote(address, other.key, length);
                case 3 -> s.forger.remote(other.address, other.key, length);
                case 4 -> s.forger.remote(other.address, area.key, length);
                case 5 -> s.forger.remote(s.random.nextLong(), area.key, 0xFFFF_FFFFL);
                // The second packet of the answer, with the address of the first.
                default -> s.forger.remote(address, area.key, length).psn(Psn.plus(psn, 1));
            }
            s.fire();
            s.dropped(Counter.DUPLICATE_REQUEST, Counter.FORGOTTEN_DUPLICATE);
        }
    }

    private static void readMiddle(AttackRun s) {
        Target target = s.world.open;
        AttackRegion area = s.world.shared;
        int length = s.between(s.mtu + 1, 3 * s.mtu);
        int psn = target.expectedPsn;
        s.peer.read(target, area, 0, length);
        s.forge(target, Operation.READ_REQUEST)
                .remote(area.address + s.mtu, area.key, length - s.mtu)
                .psn(Psn.plus(psn, 1));
        s.fire();
        s.moved(Counter.DUPLICATE_REQUEST, Counter.REPLAYED_READ);
        s.peer.answers(target, area.address + s.mtu, length - s.mtu, Psn.plus(psn, 1));
    }

    private static void atomicAgain(AttackRun s) {
        Target target = s.world.open;
        AttackRegion area = s.world.counters;
        int psn = target.expectedPsn;
        long before = s.peer.add(target, area, 8L * s.between(0, 6), s.random.nextLong());
        for (int i = 0; i < VOLLEY; i++) {
            AttackRegion other = s.pick(area, s.world.shared, s.world.sealed, s.world.foreign);
            s.forge(target, s.pick(Operation.FETCH_ADD, Operation.COMPARE_SWAP))
                    .remote(other.address, other.key, 0)
                    .operands(s.random.nextLong(), s.world.field.word(other.address))
                    .psn(psn);
            s.fire();
            s.moved(Counter.DUPLICATE_REQUEST, Counter.REPLAYED_ATOMIC);
            s.peer.atomicAnswer(before, psn);
        }
    }

    private static void crossed(AttackRun s) {
        Target target = s.world.open;
        int readAt = target.expectedPsn;
        s.peer.read(target, s.world.readable, 0, 8);
        int atomicAt = target.expectedPsn;
        s.peer.add(target, s.world.counters, 0, 1);
        AttackRegion area = s.world.shared;
        s.forge(target, Operation.READ_REQUEST).remote(area.address, area.key, 8).psn(atomicAt);
        s.fire();
        s.dropped(Counter.DUPLICATE_REQUEST, Counter.FORGOTTEN_DUPLICATE);
        s.forge(target, Operation.FETCH_ADD).remote(area.address, area.key, 8).psn(readAt);
        s.fire();
        s.dropped(Counter.DUPLICATE_REQUEST, Counter.FORGOTTEN_DUPLICATE);
    }

    private static void badForm(AttackRun s) {
        Target target = s.world.open;
        int psn = target.expectedPsn;
        s.peer.read(target, s.world.readable, 0, 8);
        for (int i = 0; i < VOLLEY; i++) {
            // A READ with payload, a Last without, an opcode that does not exist.
            s.forge(target, s.pick(Operation.READ_REQUEST, Operation.WRITE_LAST))
                    .remote(s.world.readable.address, s.world.readable.key, 8)
                    .psn(psn);
            if (s.forger.code == Operation.READ_REQUEST.code()) {
                s.forger.payload(8);
            }
            if (s.random.nextInt(3) == 0) {
                s.forger.code = OrderAttacks.unknownCode(s);
            }
            s.fire();
            s.dropped(Counter.DUPLICATE_REQUEST, Counter.FORGOTTEN_DUPLICATE);
        }
    }

    private static void sendAgain(AttackRun s) {
        Target target = s.world.open;
        while (target.receives < 2) {
            s.peer.receive(target, s.mtu);
        }
        int psn = target.expectedPsn;
        s.peer.send(target, 24);
        s.forge(target, Operation.SEND_ONLY).payload(24).psn(psn);
        s.fire();
        s.answered(AethSyndrome.ACK, psn, Counter.DUPLICATE_REQUEST);
        if (target.pair.receiveQueue().count() != target.receives) {
            throw s.wrong("a repeated SEND took a receive request");
        }
    }

    /// What was captured before the target was connected anew.
    private static void earlierConnection(AttackRun s) {
        Target target = s.world.open;
        int psn = target.expectedPsn;
        AttackRegion area = s.world.shared;
        s.peer.write(target, area, 0, 32);
        target.reconnect();
        int distance = Psn.distance(psn, target.expectedPsn);
        s.forge(target, Operation.WRITE_ONLY).remote(area.address, area.key, 32).payload(32);
        s.forger.psn(psn);
        if (distance > 0) {
            s.fire();
            s.answered(AethSyndrome.NAK_SEQUENCE, target.expectedPsn, Counter.OUT_OF_SEQUENCE);
            s.peer.write(target, area, 0, 8);
        } else if (distance < 0) {
            s.fire();
            s.answered(
                    AethSyndrome.ACK, Psn.plus(target.expectedPsn, -1), Counter.DUPLICATE_REQUEST);
        }
    }
}
