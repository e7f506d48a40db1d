package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.wire.Operation;
import java.util.List;
import java.util.function.Consumer;

/// Right keys and right bytes, for something that was not granted.
final class RightAttacks {
    private RightAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack("WRITE to memory that may be read", s -> region(s, true, s.world.readable)),
                attack("READ of memory that may be written", s -> region(s, false, writable(s))),
                attack("atomic on memory without the right", RightAttacks::atomic),
                attack("memory that no peer may touch", RightAttacks::sealed),
                attack("an operation that the queue pair has not", RightAttacks::operation),
                attack("an atomic that is not aligned", RightAttacks::alignment),
                attack("a WRITE of its own, reflected", RightAttacks::reflected)
                        .needing(AttackPath.Need.SOURCES));
    }

    private static Attack attack(String name, Consumer<AttackRun> strike) {
        return new Attack("rights", name, strike);
    }

    private static AttackRegion writable(AttackRun s) {
        return s.pick(s.world.writable, s.world.counters);
    }

    private static void region(AttackRun s, boolean write, AttackRegion area) {
        int length = s.between(1, (int) Math.min(s.mtu, area.length));
        long offset = s.random.nextLong(area.length - length + 1);
        s.peer.access(s.world.open, write, area.address + offset, area.key, length);
        s.fire();
        s.refused(Counter.DENIED_RIGHT);
    }

    private static void atomic(AttackRun s) {
        AttackRegion area = s.pick(s.world.readable, s.world.writable, s.world.sealed);
        long address = (area.address + 15) & -8;
        s.forge(s.world.open, s.pick(Operation.FETCH_ADD, Operation.COMPARE_SWAP))
                .remote(address, area.key, 0)
                .operands(s.random.nextLong(), s.world.field.word(address));
        s.fire();
        s.refused(Counter.DENIED_RIGHT);
    }

    private static void sealed(AttackRun s) {
        AttackRegion area = s.pick(s.world.sealed, s.world.receives, s.world.local);
        s.peer.oneSided(s.world.open, area, area.key);
        s.fire();
        s.refused(Counter.DENIED_RIGHT);
    }

    private static void operation(AttackRun s) {
        DeviceUnderAttack w = s.world;
        AttackRegion area = w.shared;
        switch (s.random.nextInt(3)) {
            case 0 -> {
                Target target = s.pick(w.none, w.reader, w.adder);
                s.peer.access(target, true, area.address, area.key, s.between(0, s.mtu));
            }
            case 1 -> {
                Target target = s.pick(w.none, w.writer, w.adder);
                s.peer.access(target, false, area.address, area.key, s.between(0, s.mtu));
            }
            default -> {
                Target target = s.pick(w.none, w.writer, w.reader);
                s.forge(target, s.pick(Operation.FETCH_ADD, Operation.COMPARE_SWAP))
                        .remote(area.address, area.key, 0)
                        .operands(1, w.field.word(area.address));
            }
        }
        s.fire();
        s.refused(Counter.REFUSED_OPERATION);
    }

    private static void alignment(AttackRun s) {
        AttackRegion area = s.pick(s.world.shared, s.world.counters);
        s.forge(s.world.open, s.pick(Operation.FETCH_ADD, Operation.COMPARE_SWAP))
                .remote(area.address + s.between(1, 7) + 8L * s.between(0, 4), area.key, 0)
                .operands(1, 0);
        s.fire();
        s.refused(Counter.REFUSED_ALIGNMENT);
    }

    /// The target's own request comes back to it, as if the peer had sent it: the key in it is one
    /// of the peer's.
    private static void reflected(AttackRun s) {
        Target target = s.world.open;
        int peerKey = s.random.nextInt();
        while (s.world.isInForce(peerKey)) {
            peerKey = s.random.nextInt();
        }
        s.peer.post(target, Operation.WRITE_ONLY, s.world.shared.address, peerKey, 16);
        s.forge(target, Operation.WRITE_ONLY)
                .remote(s.world.shared.address, peerKey, 16)
                .payload(16);
        // As it is, it names the peer's queue pair and comes from the target's own address.
        s.forger.destination = target.peerNumber;
        s.forger.from = s.world.node(1);
        s.fire();
        s.dropped(Counter.DROPPED_UNKNOWN_PAIR);
        s.forger.destination = target.pair.number();
        s.fire();
        s.dropped(Counter.DROPPED_SOURCE);
        s.forger.from = target.peer;
        s.fire();
        s.refused(Counter.DENIED_KEY);
    }
}
