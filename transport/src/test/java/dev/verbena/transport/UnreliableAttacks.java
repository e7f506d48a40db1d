package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;
import java.util.List;
import java.util.function.Consumer;

/// Against a connection without acknowledgements: all that is wrong is dropped in silence, and the
/// connection goes on.
final class UnreliableAttacks {
    private UnreliableAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack("a message with a gap", UnreliableAttacks::gap),
                attack("a message begun inside another", UnreliableAttacks::inside),
                attack("Middle or Last without First", UnreliableAttacks::withoutFirst),
                attack("keys, domains, rights, bounds", UnreliableAttacks::memory),
                attack("a key withdrawn within a WRITE", UnreliableAttacks::withdrawn),
                attack("a WRITE of another length", UnreliableAttacks::length),
                attack("a SEND without receive", UnreliableAttacks::noReceive),
                attack("a SEND longer than the receive", UnreliableAttacks::tooLong),
                attack("operations of other services", UnreliableAttacks::form));
    }

    private static Attack attack(String name, Consumer<AttackRun> strike) {
        return new Attack("UC", name, strike);
    }

    private static PacketForger write(
            AttackRun s, Operation operation, AttackRegion area, int payload) {
        return s.forge(s.world.unreliable, operation)
                .remote(area.address, area.key, 3L * s.mtu)
                .payload(payload);
    }

    /// Fires a packet that takes its sequence number, and is dropped.
    private static void dropped(AttackRun s, Counter... by) {
        s.fire();
        s.dropped(by);
        s.world.unreliable.expectedPsn = Psn.plus(s.forger.psn, 1);
    }

    private static void first(AttackRun s, AttackRegion area) {
        write(s, Operation.WRITE_FIRST, area, s.mtu);
        s.fireGenuine();
        s.moved();
        s.allow(area.address, s.mtu);
        s.world.unreliable.took(1);
    }

    /// A whole WRITE still gets through.
    private static void alive(AttackRun s) {
        AttackRegion area = s.world.shared;
        s.forge(s.world.unreliable, Operation.WRITE_ONLY)
                .remote(area.address + 8, area.key, 24)
                .payload(24);
        s.fireGenuine();
        s.moved(Counter.RECEIVED_WRITES);
        s.allow(area.address + 8, 24);
        s.world.unreliable.took(1);
    }

    private static void gap(AttackRun s) {
        first(s, s.world.shared);
        write(s, Operation.WRITE_MIDDLE, s.world.shared, s.mtu);
        s.forger.psn(Psn.plus(s.forger.psn, s.between(1, 1 << 23)));
        dropped(s, Counter.OUT_OF_SEQUENCE, Counter.BROKEN_MESSAGE);
        write(s, Operation.WRITE_MIDDLE, s.world.shared, s.mtu);
        dropped(s, Counter.SKIPPED_PACKET);
        write(s, Operation.WRITE_LAST, s.world.shared, s.mtu);
        dropped(s, Counter.SKIPPED_PACKET);
        alive(s);
    }

    private static void inside(AttackRun s) {
        first(s, s.world.shared);
        // The one before is given up, and this one has a key that opens nothing to it.
        write(s, Operation.WRITE_FIRST, s.world.foreign, s.mtu);
        dropped(s, Counter.BROKEN_MESSAGE, Counter.DENIED_DOMAIN);
        write(s, Operation.WRITE_LAST, s.world.shared, s.mtu);
        dropped(s, Counter.SKIPPED_PACKET);
        alive(s);
    }

    private static void withoutFirst(AttackRun s) {
        Operation operation =
                s.pick(
                        Operation.WRITE_MIDDLE,
                        Operation.WRITE_LAST,
                        Operation.SEND_MIDDLE,
                        Operation.SEND_LAST);
        write(s, operation, s.world.shared, s.mtu);
        dropped(s, Counter.REFUSED_ORDER);
        if (!operation.endsMessage()) {
            write(s, Operation.SEND_LAST, s.world.shared, s.mtu);
            dropped(s, Counter.SKIPPED_PACKET);
        }
        alive(s);
    }

    private static void memory(AttackRun s) {
        DeviceUnderAttack w = s.world;
        int length = s.between(1, s.mtu);
        PacketForger forger = s.forge(w.unreliable, Operation.WRITE_ONLY).payload(length);
        Counter by;
        switch (s.random.nextInt(5)) {
            case 0 -> {
                forger.remote(w.fleeting.address, w.fleeting.renew(), length);
                by = Counter.DENIED_KEY;
            }
            case 1 -> {
                forger.remote(w.foreign.address, w.foreign.key, length);
                by = Counter.DENIED_DOMAIN;
            }
            case 2 -> {
                forger.remote(w.readable.address, w.readable.key, length);
                by = Counter.DENIED_RIGHT;
            }
            case 3 -> {
                forger.remote(w.personal.address, w.personal.key, length);
                by = Counter.DENIED_PAIR;
            }
            default -> {
                long end = w.writable.address + w.writable.length;
                forger.remote(end - length + 1, w.writable.key, length);
                by = Counter.DENIED_BOUNDS;
            }
        }
        dropped(s, by);
        alive(s);
    }

    private static void withdrawn(AttackRun s) {
        first(s, s.world.fleeting);
        s.world.fleeting.renew();
        write(s, Operation.WRITE_MIDDLE, s.world.fleeting, s.mtu);
        dropped(s, Counter.DENIED_KEY);
        write(s, Operation.WRITE_LAST, s.world.fleeting, s.mtu);
        dropped(s, Counter.SKIPPED_PACKET);
        alive(s);
    }

    private static void length(AttackRun s) {
        if (s.random.nextBoolean()) {
            write(s, Operation.WRITE_ONLY, s.world.shared, s.between(0, s.mtu));
        } else {
            first(s, s.world.shared);
            write(s, Operation.WRITE_LAST, s.world.shared, s.between(1, s.mtu));
        }
        dropped(s, Counter.REFUSED_LENGTH);
        alive(s);
    }

    private static void noReceive(AttackRun s) {
        s.world.unreliable.reconnect();
        for (int i = 0; i < 4; i++) {
            s.forge(s.world.unreliable, Operation.SEND_ONLY).payload(s.between(0, s.mtu));
            dropped(s, Counter.DROPPED_NO_RECEIVE);
        }
        s.forge(s.world.unreliable, Operation.SEND_FIRST).payload(s.mtu);
        dropped(s, Counter.DROPPED_NO_RECEIVE);
        s.forge(s.world.unreliable, Operation.SEND_LAST).payload(s.mtu);
        dropped(s, Counter.SKIPPED_PACKET);
        alive(s);
    }

    /// The receive request is kept for the next message, which fits.
    private static void tooLong(AttackRun s) {
        Target target = s.world.unreliable;
        target.reconnect();
        int room = s.between(0, s.mtu - 1);
        s.peer.receive(target, s.mtu + (long) room);
        s.forge(target, Operation.SEND_FIRST).payload(s.mtu);
        s.fireGenuine();
        s.moved();
        s.allow(s.world.receives.address, s.mtu);
        target.took(1);
        s.forge(target, Operation.SEND_LAST).payload(s.between(room + 1, s.mtu));
        dropped(s, Counter.TOO_LONG_MESSAGE);
        s.forge(target, Operation.SEND_ONLY).payload(s.mtu);
        s.fireGenuine();
        s.moved(Counter.RECEIVED_SENDS);
        s.allow(s.world.receives.address, s.mtu);
        s.completed(CompletionStatus.SUCCESS);
        target.took(1);
        target.receives--;
    }

    /// No sequence number is taken by what has no form.
    private static void form(AttackRun s) {
        for (int i = 0; i < 4; i++) {
            AttackRegion area = s.world.shared;
            Operation operation =
                    s.pick(
                            Operation.READ_REQUEST,
                            Operation.FETCH_ADD,
                            Operation.ACKNOWLEDGE,
                            Operation.READ_RESPONSE_ONLY,
                            Operation.SEND_ONLY_INVALIDATE,
                            Operation.ATOMIC_WRITE);
            s.forge(s.world.unreliable, operation).remote(area.address, area.key, 8).payload(64);
            s.fire();
            s.dropped(Counter.REFUSED_FORM);
        }
        alive(s);
    }
}
