package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Operation;
import java.util.List;
import java.util.function.Consumer;

/// A right key, and bytes that do not belong to it.
final class BoundsAttacks {
    private static final long MOST = 1L << 31;

    private BoundsAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack("bytes before the region", BoundsAttacks::before),
                attack("bytes behind the region", BoundsAttacks::behind),
                attack("the region and one byte more", BoundsAttacks::longer),
                attack("another region of the same domain", BoundsAttacks::neighbour),
                attack("an address that wraps around", BoundsAttacks::wraps),
                attack("an address of any kind", BoundsAttacks::anywhere),
                attack("two gigabytes", BoundsAttacks::twoGigabytes),
                attack("more than two gigabytes", BoundsAttacks::tooLong),
                attack("an atomic across the end", BoundsAttacks::atomicAcrossTheEnd),
                attack("no byte, with any key", BoundsAttacks::nothing));
    }

    private static Attack attack(String name, Consumer<AttackRun> strike) {
        return new Attack("bounds", name, strike);
    }

    /// The regions that a peer may write to, or read from.
    private static AttackRegion area(AttackRun s, boolean write) {
        DeviceUnderAttack w = s.world;
        return s.random.nextInt(3) == 0 ? w.shared : write ? w.writable : w.readable;
    }

    private static void denied(
            AttackRun s, boolean write, long address, AttackRegion area, long length) {
        s.peer.access(s.world.open, write, address, area.key, length);
        s.fire();
        s.refused(Counter.DENIED_BOUNDS);
    }

    private static void before(AttackRun s) {
        boolean write = s.random.nextBoolean();
        AttackRegion area = area(s, write);
        int length = s.between(1, s.mtu);
        int early = s.pick(1, 1, 8, length, s.between(1, 4096));
        denied(s, write, area.address - early, area, length);
    }

    private static void behind(AttackRun s) {
        boolean write = s.random.nextBoolean();
        AttackRegion area = area(s, write);
        int length = s.between(1, s.mtu);
        // From one byte over the end to altogether behind it.
        long over = s.pick(1, 1, length, length + 1, s.between(1, 4096));
        denied(s, write, area.address + area.length - length + over, area, length);
    }

    private static void longer(AttackRun s) {
        boolean write = s.random.nextBoolean();
        AttackRegion area = area(s, write);
        denied(s, write, area.address, area, area.length + 1);
    }

    private static void neighbour(AttackRun s) {
        DeviceUnderAttack w = s.world;
        boolean write = s.random.nextBoolean();
        AttackRegion area = area(s, write);
        AttackRegion other = s.pick(w.sealed, w.foreign, w.receives, w.fleeting);
        denied(s, write, other.address, area, s.between(1, s.mtu));
    }

    private static void wraps(AttackRun s) {
        boolean write = s.random.nextBoolean();
        AttackRegion area = area(s, write);
        int length = s.between(2, s.mtu);
        // The end lies inside, or right behind zero, when the sum is cut to 64 bits.
        long address =
                s.pick(
                        -1L,
                        -(long) length + 1,
                        area.address + (1L << 63),
                        area.address - (1L << 62),
                        area.address - (1L << 32),
                        area.address + (1L << 32));
        denied(s, write, address, area, length);
    }

    private static void anywhere(AttackRun s) {
        boolean write = s.random.nextBoolean();
        AttackRegion area = area(s, write);
        long address = s.random.nextLong();
        int length = s.between(1, s.mtu);
        if (!area.holds(address, length)) {
            denied(s, write, address, area, length);
        }
    }

    private static void twoGigabytes(AttackRun s) {
        boolean write = s.random.nextBoolean();
        AttackRegion area = area(s, write);
        long length = MOST - s.between(0, 8);
        long address = s.pick(area.address, area.address - MOST + 8, area.address - length);
        denied(s, write, address, area, length);
    }

    private static void tooLong(AttackRun s) {
        boolean write = s.random.nextBoolean();
        AttackRegion area = area(s, write);
        long length = s.pick(MOST + 1, 0xFFFF_FFFFL, 0xFFFF_FFFFL - s.between(0, 4096));
        s.peer.access(s.world.open, write, area.address, area.key, length);
        s.fire();
        s.refused(Counter.REFUSED_LENGTH);
    }

    private static void atomicAcrossTheEnd(AttackRun s) {
        AttackRegion area = s.world.counters;
        // 60 bytes: the last four and what is behind them, or the word before the first.
        long address = area.address + s.pick(56, 64, -8, 1 << 20);
        s.forge(s.world.open, s.pick(Operation.FETCH_ADD, Operation.COMPARE_SWAP))
                .remote(address, area.key, 0)
                .operands(s.random.nextLong(), s.world.field.word(area.address));
        s.fire();
        s.refused(Counter.DENIED_BOUNDS);
    }

    /// Legal, and moves nothing: neither key nor address is looked at.
    private static void nothing(AttackRun s) {
        boolean write = s.random.nextBoolean();
        Target target = s.world.open;
        int key = s.pick(0, s.random.nextInt(), s.world.foreign.key, s.world.sealed.key);
        long address = s.pick(0L, -1L, s.random.nextLong(), s.world.foreign.address);
        s.forge(target, write ? Operation.WRITE_ONLY : Operation.READ_REQUEST)
                .remote(address, key, 0);
        s.fire();
        target.took(1);
        if (write) {
            s.answered(AethSyndrome.ACK, s.forger.psn, Counter.RECEIVED_WRITES);
        } else {
            s.moved(Counter.RECEIVED_READS);
            s.peer.answers(target, 0, 0, s.forger.psn);
        }
    }
}
