package dev.verbena.transport;

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
                        .needing(Front.Need.SOURCES));
    }

    private static Attack attack(String name, Consumer<Siege> strike) {
        return new Attack("rights", name, strike);
    }

    private static Plot writable(Siege s) {
        return s.pick(s.world.writable, s.world.counters);
    }

    private static void region(Siege s, boolean write, Plot plot) {
        int length = s.between(1, (int) Math.min(s.mtu, plot.length));
        long offset = s.random.nextLong(plot.length - length + 1);
        s.peer.access(s.world.open, write, plot.address + offset, plot.key, length);
        s.fire();
        s.refused(Counter.DENIED_RIGHT);
    }

    private static void atomic(Siege s) {
        Plot plot = s.pick(s.world.readable, s.world.writable, s.world.sealed);
        long address = (plot.address + 15) & -8;
        s.forge(s.world.open, s.pick(Operation.FETCH_ADD, Operation.COMPARE_SWAP))
                .remote(address, plot.key, 0)
                .operands(s.random.nextLong(), s.world.field.word(address));
        s.fire();
        s.refused(Counter.DENIED_RIGHT);
    }

    private static void sealed(Siege s) {
        Plot plot = s.pick(s.world.sealed, s.world.receives, s.world.local);
        s.peer.oneSided(s.world.open, plot, plot.key);
        s.fire();
        s.refused(Counter.DENIED_RIGHT);
    }

    private static void operation(Siege s) {
        Besieged w = s.world;
        Plot plot = w.shared;
        switch (s.random.nextInt(3)) {
            case 0 -> {
                Target target = s.pick(w.none, w.reader, w.adder);
                s.peer.access(target, true, plot.address, plot.key, s.between(0, s.mtu));
            }
            case 1 -> {
                Target target = s.pick(w.none, w.writer, w.adder);
                s.peer.access(target, false, plot.address, plot.key, s.between(0, s.mtu));
            }
            default -> {
                Target target = s.pick(w.none, w.writer, w.reader);
                s.forge(target, s.pick(Operation.FETCH_ADD, Operation.COMPARE_SWAP))
                        .remote(plot.address, plot.key, 0)
                        .operands(1, w.field.word(plot.address));
            }
        }
        s.fire();
        s.refused(Counter.REFUSED_OPERATION);
    }

    private static void alignment(Siege s) {
        Plot plot = s.pick(s.world.shared, s.world.counters);
        s.forge(s.world.open, s.pick(Operation.FETCH_ADD, Operation.COMPARE_SWAP))
                .remote(plot.address + s.between(1, 7) + 8L * s.between(0, 4), plot.key, 0)
                .operands(1, 0);
        s.fire();
        s.refused(Counter.REFUSED_ALIGNMENT);
    }

    /// The target's own request comes back to it, as if the peer had sent it: the key in it is one
    /// of the peer's.
    private static void reflected(Siege s) {
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
        s.forger.from = s.world.station(1);
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
