package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.memory.TransportRegion;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.wire.Operation;
import java.util.List;
import java.util.function.Consumer;

/// SENDs that take keys out of force which they may not.
final class InvalidateAttacks {
    private InvalidateAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack("a key that may not be invalidated", InvalidateAttacks::notLoose),
                attack("a key of another domain", InvalidateAttacks::otherDomain),
                attack("the bystander connection's key", InvalidateAttacks::innocent),
                attack("an unknown key", InvalidateAttacks::unknown),
                attack("a key that is out of force", InvalidateAttacks::twice));
    }

    private static Attack attack(String name, Consumer<AttackRun> strike) {
        return new Attack("invalidate", name, strike);
    }

    /// The message lies in its receive request by then; the key stays as it was.
    private static void denied(AttackRun s, int key) {
        Target target = s.world.open;
        target.reconnect();
        s.peer.receive(target, 2L * s.mtu);
        int length = s.between(1, s.mtu);
        if (s.random.nextBoolean()) {
            s.forge(target, Operation.SEND_ONLY_INVALIDATE).payload(length).invalidate(key);
            s.fire();
            s.allow(s.world.receives.address, length);
        } else {
            s.peer.sendFirst(target);
            s.forge(target, Operation.SEND_LAST_INVALIDATE).payload(length).invalidate(key);
            s.fire();
            s.allow(s.world.receives.address + s.mtu, length);
        }
        s.refused(Counter.DENIED_INVALIDATE);
        s.completed(CompletionStatus.REMOTE_INVALID_REQUEST);
    }

    private static void notLoose(AttackRun s) {
        DeviceUnderAttack w = s.world;
        AttackRegion area =
                s.pick(w.shared, w.readable, w.writable, w.counters, w.sealed, w.receives);
        denied(s, area.key);
        requireInForce(s, area);
    }

    private static void otherDomain(AttackRun s) {
        denied(s, s.world.foreign.key);
        requireInForce(s, s.world.foreign);
        // Its own tenant still gets in.
        s.peer.write(s.world.tenant, s.world.foreign, 0, 8);
    }

    private static void innocent(AttackRun s) {
        denied(s, s.world.bystander.key());
    }

    private static void unknown(AttackRun s) {
        int key = s.random.nextInt();
        while (s.world.isInForce(key)) {
            key = s.random.nextInt();
        }
        denied(s, key);
    }

    private static void twice(AttackRun s) {
        int old = s.world.fleeting.renew();
        denied(s, old);
        requireInForce(s, s.world.fleeting);
    }

    private static void requireInForce(AttackRun s, AttackRegion area) {
        if (!((TransportRegion) area.region).keyInForce()) {
            throw s.wrong("the key of the " + area.name + " region went out of force");
        }
    }
}
