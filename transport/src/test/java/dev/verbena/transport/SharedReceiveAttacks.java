package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Operation;
import java.util.List;
import java.util.function.Consumer;

/// One peer against the others of a shared receive queue: it can take receives, and nothing else.
final class SharedReceiveAttacks {
    private static final int POSTED = 6;
    private static final int LIMIT = 3;

    private SharedReceiveAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack("taking all receives", SharedReceiveAttacks::drain),
                attack("failing with a message open", SharedReceiveAttacks::failing),
                attack("the other's window and memory", SharedReceiveAttacks::rights));
    }

    private static Attack attack(String name, Consumer<AttackRun> strike) {
        return new Attack("shared receives", name, strike);
    }

    private static void fill(AttackRun s) {
        while (s.world.pool.room() > 16 - POSTED) {
            boolean posted =
                    s.world
                            .pool
                            .receives()
                            .receive()
                            .local(s.world.receives.region, 0, s.mtu)
                            .post();
            if (!posted) {
                throw s.wrong("a shared receive was to be posted");
            }
        }
    }

    private static void send(AttackRun s, Target target) {
        s.forge(target, Operation.SEND_ONLY).payload(8);
        s.fire();
        s.moved(Counter.RECEIVED_SENDS);
        s.allow(s.world.receives.address, 8);
        s.completed(CompletionStatus.SUCCESS);
        target.took(1);
    }

    private static void notReady(AttackRun s, Target target) {
        s.forge(target, Operation.SEND_ONLY).payload(8);
        s.fire();
        s.answered(AethSyndrome.RNR_NAK | 1, target.expectedPsn);
    }

    private static void drain(AttackRun s) {
        DeviceUnderAttack w = s.world;
        fill(s);
        w.pool.limit(LIMIT);
        for (int i = 0; i < POSTED; i++) {
            send(s, w.greedy);
            // The program hears of it once, in time to post more.
            if (POSTED - 1 - i == LIMIT - 1) {
                s.event(AsyncEvent.Type.SHARED_RECEIVE_LIMIT);
            }
        }
        notReady(s, w.greedy);
        notReady(s, w.modest);
        // Nothing but receives is missing: memory is open to it as before.
        s.peer.write(w.modest, w.shared, 0, 8);
        fill(s);
        send(s, w.modest);
        send(s, w.greedy);
    }

    /// Its failure flushes the one receive that it held; the others stay for the rest.
    private static void failing(AttackRun s) {
        DeviceUnderAttack w = s.world;
        fill(s);
        s.forge(w.greedy, Operation.SEND_FIRST).payload(s.mtu);
        s.fire();
        s.moved();
        s.allow(w.receives.address, s.mtu);
        w.greedy.took(1);
        s.forge(w.greedy, Operation.SEND_FIRST).payload(s.mtu);
        s.fire();
        s.refused(Counter.REFUSED_ORDER);
        s.completed(CompletionStatus.FLUSHED);
        s.event(AsyncEvent.Type.LAST_WORK_REQUEST);
        if (w.pool.room() != 16 - POSTED + 1) {
            throw s.wrong("a failed queue pair flushed receives that others share");
        }
        send(s, w.modest);
    }

    private static void rights(AttackRun s) {
        AttackRegion area = s.world.personal;
        s.peer.access(s.world.greedy, s.random.nextBoolean(), area.address, area.key, 8);
        s.fire();
        s.refused(Counter.DENIED_PAIR);
        s.event(AsyncEvent.Type.LAST_WORK_REQUEST);
    }
}
