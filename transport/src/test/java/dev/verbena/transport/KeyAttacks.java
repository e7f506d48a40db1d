package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;
import java.util.List;
import java.util.function.Consumer;

/// Keys that open nothing here: guessed, of others, or no longer in force.
final class KeyAttacks {
    private KeyAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack("a random key", KeyAttacks::random),
                attack("a key one bit off", KeyAttacks::oneBitOff),
                attack("a key as an index would be", KeyAttacks::smallNumber),
                attack("a key of another domain", KeyAttacks::otherDomain),
                attack("our key from another domain's connection", KeyAttacks::fromOtherDomain),
                attack("a key that was renewed", KeyAttacks::renewed),
                attack("the key of a closed region", KeyAttacks::closed),
                attack("a key that was invalidated", KeyAttacks::invalidated),
                attack("a key withdrawn within a WRITE", KeyAttacks::withdrawnInWrite),
                attack("a key withdrawn within a READ", KeyAttacks::withdrawnInRead),
                attack("a READ repeated after its key", KeyAttacks::withdrawnBeforeReplay));
    }

    private static Attack attack(String name, Consumer<AttackRun> strike) {
        return new Attack("keys", name, strike);
    }

    private static void random(AttackRun s) {
        tryKey(s, strange(s, s.random.nextInt()));
    }

    private static void oneBitOff(AttackRun s) {
        tryKey(s, strange(s, s.world.shared.key ^ (1 << s.random.nextInt(32))));
    }

    private static void smallNumber(AttackRun s) {
        int index = s.between(0, 64);
        tryKey(s, strange(s, s.pick(index, index << 8, index << 8 | s.between(0, 255), -index)));
    }

    /// A key that is not in force, whatever chance has it.
    private static int strange(AttackRun s, int wanted) {
        int key = wanted;
        while (s.world.isInForce(key)) {
            key = s.random.nextInt();
        }
        return key;
    }

    private static void tryKey(AttackRun s, int key) {
        s.peer.oneSided(s.world.open, s.world.shared, key);
        s.fire();
        s.refused(Counter.DENIED_KEY);
    }

    private static void otherDomain(AttackRun s) {
        s.peer.oneSided(s.world.open, s.world.foreign, s.world.foreign.key);
        s.fire();
        s.refused(Counter.DENIED_DOMAIN);
    }

    private static void fromOtherDomain(AttackRun s) {
        s.peer.oneSided(s.world.tenant, s.world.shared, s.world.shared.key);
        s.fire();
        s.refused(Counter.DENIED_DOMAIN);
    }

    private static void renewed(AttackRun s) {
        int old = s.world.fleeting.renew();
        s.peer.oneSided(s.world.open, s.world.fleeting, old);
        s.fire();
        s.refused(Counter.DENIED_KEY);
    }

    private static void closed(AttackRun s) {
        MemoryRegion region =
                s.world.domain.register(
                        s.world.shared.region.segment(), Access.REMOTE_WRITE, Access.REMOTE_READ);
        int key = region.remoteKey();
        region.close();
        s.peer.oneSided(s.world.open, s.world.shared, key);
        s.fire();
        s.refused(Counter.DENIED_KEY);
    }

    private static void invalidated(AttackRun s) {
        AttackRegion area = s.world.fleeting;
        s.peer.sendInvalidate(s.world.open, area);
        s.peer.oneSided(s.world.open, area, area.key);
        s.fire();
        s.refused(Counter.DENIED_KEY);
        area.renew();
    }

    private static void withdrawnInWrite(AttackRun s) {
        AttackRegion area = s.world.fleeting;
        s.peer.writeFirst(s.world.open, area, 0, 2L * s.mtu + 1);
        area.renew();
        s.forge(s.world.open, Operation.WRITE_MIDDLE).payload(s.mtu);
        s.fire();
        s.refused(Counter.DENIED_KEY);
    }

    private static void withdrawnInRead(AttackRun s) {
        AttackRegion area = s.world.fleeting;
        Target target = s.world.open;
        // The answer is three packets; one of them leaves before the key goes.
        s.budget = s.mtu + 64;
        int psn = target.expectedPsn;
        s.forge(target, Operation.READ_REQUEST).remote(area.address, area.key, 2L * s.mtu + 1);
        s.fire();
        s.moved(Counter.RECEIVED_READS);
        if (s.sentPackets.count() != 1) {
            throw s.wrong("one packet of the answer was to leave");
        }
        area.renew();
        s.forger.psn(Psn.plus(psn, 1));
        s.again();
        s.refused(Counter.DENIED_KEY);
    }

    private static void withdrawnBeforeReplay(AttackRun s) {
        AttackRegion area = s.world.fleeting;
        Target target = s.world.open;
        int psn = target.expectedPsn;
        s.peer.read(target, area, 8, 100);
        long address = area.address + 8;
        int old = area.renew();
        s.forge(target, Operation.READ_REQUEST).remote(address, old, 100).psn(psn);
        s.fire();
        s.dropped(
                Counter.DUPLICATE_REQUEST,
                Counter.REPLAYED_READ,
                Counter.FORGOTTEN_DUPLICATE,
                Counter.DENIED_KEY);
    }
}
