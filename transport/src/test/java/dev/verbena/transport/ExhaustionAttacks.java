package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;
import java.util.List;
import java.util.function.Consumer;

/// More than there is room for: none of it may grow a table, or delay another connection.
final class ExhaustionAttacks {
    private static final int FLOOD = 64;
    private static final int NOTHING = 0;
    private static final int EVERYTHING = 1 << 30;

    private ExhaustionAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack("one READ or atomic too many", ExhaustionAttacks::reads),
                attack("strangers to unknown queue pairs", ExhaustionAttacks::strangers),
                attack("repeated requests, one answer", ExhaustionAttacks::duplicates),
                attack("repeated READs, one answer", ExhaustionAttacks::replays),
                attack("requests ahead, one NAK", ExhaustionAttacks::ahead),
                attack("SENDs without receive, one NAK", ExhaustionAttacks::notReady),
                attack("events that are not polled", ExhaustionAttacks::events));
    }

    private static Attack attack(String name, Consumer<AttackRun> strike) {
        return new Attack("exhaustion", name, strike);
    }

    private static void reads(AttackRun s) {
        Target target = s.world.open;
        s.budget = NOTHING;
        target.reconnect();
        for (int i = 0; i < Target.READS; i++) {
            if (s.random.nextBoolean()) {
                s.peer.read(target, s.world.readable, 0, 8);
            } else {
                s.peer.add(target, s.world.counters, 8, 1);
            }
        }
        AttackRegion area = s.world.shared;
        s.forge(target, s.pick(Operation.READ_REQUEST, Operation.FETCH_ADD))
                .remote(area.address, area.key, 8)
                .operands(1, 0);
        s.fire();
        s.moved(Counter.REFUSED_READS);
        s.failed(AsyncEvent.Type.QUEUE_PAIR_REQUEST_ERROR);
        s.budget = EVERYTHING;
        s.again();
        s.moved();
        // What was asked for before is answered before.
        if (s.sentPackets.count() != Target.READS + 1
                || s.sentPackets.syndrome(Target.READS) != AethSyndrome.NAK_INVALID_REQUEST) {
            throw s.wrong("the READs before it were to be answered, then the NAK");
        }
    }

    private static void strangers(AttackRun s) {
        Target target = s.world.open;
        AttackRegion area = s.world.shared;
        for (int i = 0; i < FLOOD; i++) {
            s.forge(target, Operation.WRITE_ONLY).remote(area.address, area.key, 8).payload(8);
            s.forger.destination = s.random.nextInt(2, 0xFF_FFFF);
            s.forger.strange(s.random.nextInt(1 << 20));
            if (s.world.device.engine().pairs.find(s.forger.destination) == null) {
                s.fire();
                s.dropped(Counter.DROPPED_UNKNOWN_PAIR);
            }
        }
    }

    private static void duplicates(AttackRun s) {
        Target target = s.world.open;
        // An acknowledgement has the number of no READ, so the last request must be none.
        s.peer.write(target, s.world.shared, 0, 8);
        s.budget = NOTHING;
        for (int i = 0; i < FLOOD; i++) {
            s.forge(target, Operation.WRITE_ONLY)
                    .remote(s.world.shared.address, s.world.shared.key, 8)
                    .payload(8)
                    .psn(Psn.plus(target.expectedPsn, -s.between(1, 1000)));
            s.fire();
            s.dropped(Counter.DUPLICATE_REQUEST);
        }
        oneAnswer(s, AethSyndrome.ACK, Psn.plus(target.expectedPsn, -1));
    }

    private static void oneAnswer(AttackRun s, int syndrome, int psn) {
        s.budget = EVERYTHING;
        s.again();
        s.answered(syndrome, psn);
    }

    private static void replays(AttackRun s) {
        Target target = s.world.open;
        AttackRegion area = s.world.shared;
        int psn = target.expectedPsn;
        int length = 3 * s.mtu;
        s.peer.read(target, area, 0, length);
        s.budget = NOTHING;
        for (int i = 0; i < FLOOD; i++) {
            s.forge(target, Operation.READ_REQUEST).remote(area.address, area.key, length).psn(psn);
            s.fire();
            s.moved(Counter.DUPLICATE_REQUEST, Counter.REPLAYED_READ);
        }
        s.budget = EVERYTHING;
        s.again();
        s.moved();
        s.peer.answers(target, area.address, length, psn);
    }

    private static void ahead(AttackRun s) {
        Target target = s.world.open;
        s.budget = NOTHING;
        for (int i = 0; i < FLOOD; i++) {
            s.forge(target, Operation.SEND_ONLY)
                    .payload(4)
                    .psn(Psn.plus(target.expectedPsn, s.between(1, 1000)));
            s.fire();
            if (i == 0) {
                s.dropped(Counter.OUT_OF_SEQUENCE);
            } else {
                s.dropped(Counter.OUT_OF_SEQUENCE, Counter.SILENT_OUT_OF_SEQUENCE);
            }
        }
        oneAnswer(s, AethSyndrome.NAK_SEQUENCE, target.expectedPsn);
        s.peer.write(target, s.world.shared, 0, 8);
    }

    private static void notReady(AttackRun s) {
        Target target = s.world.open;
        target.reconnect();
        s.budget = NOTHING;
        for (int i = 0; i < FLOOD; i++) {
            s.forge(target, s.pick(Operation.SEND_ONLY, Operation.SEND_ONLY_IMMEDIATE)).payload(4);
            s.fire();
            s.dropped();
        }
        oneAnswer(s, AethSyndrome.RNR_NAK | 1, target.expectedPsn);
        s.peer.write(target, s.world.shared, 0, 8);
    }

    /// The oldest are dropped; what waits stays within its limit.
    private static void events(AttackRun s) {
        Target target = s.world.open;
        target.reconnect();
        for (int i = 0; i < DeviceUnderAttack.PENDING_EVENTS + 4; i++) {
            s.forge(target, Operation.SEND_MIDDLE).payload(s.mtu);
            s.fire();
            if (i < DeviceUnderAttack.PENDING_EVENTS) {
                s.moved(Counter.REFUSED_ORDER);
            } else {
                s.moved(Counter.REFUSED_ORDER, Counter.DROPPED_EVENT);
            }
            target.reconnect();
        }
        for (int i = 0; i < DeviceUnderAttack.PENDING_EVENTS; i++) {
            AsyncEvent event = s.world.device.pollEvent();
            if (event == null || event.type() != AsyncEvent.Type.QUEUE_PAIR_REQUEST_ERROR) {
                throw s.wrong("event " + i + " is " + event);
            }
        }
    }
}
