package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import java.util.List;
import java.util.function.Consumer;

/// Opcodes where they cannot stand, and opcodes that do not exist.
final class OrderAttacks {
    private static final Operation[] NEXT = {
        Operation.SEND_MIDDLE,
        Operation.SEND_LAST,
        Operation.SEND_LAST_IMMEDIATE,
        Operation.SEND_LAST_INVALIDATE,
        Operation.WRITE_MIDDLE,
        Operation.WRITE_LAST,
        Operation.WRITE_LAST_IMMEDIATE
    };

    private static final Operation[] BEGIN = {
        Operation.SEND_FIRST,
        Operation.SEND_ONLY,
        Operation.SEND_ONLY_IMMEDIATE,
        Operation.SEND_ONLY_INVALIDATE,
        Operation.WRITE_FIRST,
        Operation.WRITE_ONLY,
        Operation.WRITE_ONLY_IMMEDIATE,
        Operation.READ_REQUEST,
        Operation.COMPARE_SWAP,
        Operation.FETCH_ADD
    };

    private OrderAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack("Middle or Last without First", OrderAttacks::withoutFirst),
                attack("a message begun inside a SEND", s -> inside(s, true)),
                attack("a message begun inside a WRITE", s -> inside(s, false)),
                attack("the end of a WRITE in a SEND", s -> crossed(s, true)),
                attack("the end of a SEND in a WRITE", s -> crossed(s, false)),
                attack("opcodes that do not exist", OrderAttacks::unknown),
                attack("operations that are not carried out here", OrderAttacks::unsupported));
    }

    private static Attack attack(String name, Consumer<AttackRun> strike) {
        return new Attack("order", name, strike);
    }

    /// A code of the reliable connection that no operation has.
    static int unknownCode(AttackRun s) {
        int code = s.between(0x15, 0x1F);
        while (Opcode.of(code).isKnown()) {
            code = s.between(0x15, 0x1F);
        }
        return code;
    }

    private static void fire(AttackRun s, Operation operation) {
        AttackRegion area = s.world.shared;
        boolean hasPayload =
                switch (operation) {
                    case READ_REQUEST, COMPARE_SWAP, FETCH_ADD -> false;
                    default -> true;
                };
        boolean isFull =
                operation.position() == Operation.Position.FIRST
                        || operation.position() == Operation.Position.MIDDLE;
        int length = isFull ? s.mtu : 16;
        s.forge(s.world.open, operation)
                .remote(area.address, area.key, isFull ? s.mtu + 16L : 16)
                .invalidate(s.world.fleeting.key)
                .payload(hasPayload ? length : 0);
        s.fire();
        s.refused(Counter.REFUSED_ORDER);
    }

    private static void withoutFirst(AttackRun s) {
        s.peer.receive(s.world.open, 3L * s.mtu);
        fire(s, s.pick(NEXT));
    }

    private static void begin(AttackRun s, boolean send) {
        if (send) {
            s.world.open.reconnect();
            s.peer.receive(s.world.open, 3L * s.mtu);
            s.peer.receive(s.world.open, 3L * s.mtu);
            s.peer.sendFirst(s.world.open);
        } else {
            s.peer.writeFirst(s.world.open, s.world.shared, 0, 3L * s.mtu);
        }
    }

    private static void inside(AttackRun s, boolean send) {
        begin(s, send);
        fire(s, s.pick(BEGIN));
    }

    private static void crossed(AttackRun s, boolean send) {
        begin(s, send);
        fire(s, send ? NEXT[s.between(4, 6)] : NEXT[s.between(0, 3)]);
    }

    private static void unknown(AttackRun s) {
        s.forge(s.world.open, Operation.SEND_ONLY).payload(s.between(0, s.mtu));
        s.forger.code = unknownCode(s);
        s.fire();
        s.refused(Counter.REFUSED_FORM);
    }

    private static void unsupported(AttackRun s) {
        AttackRegion area = s.world.shared;
        s.forge(s.world.open, s.pick(Operation.FLUSH, Operation.ATOMIC_WRITE))
                .remote(area.address, area.key, 8);
        if (s.forger.code == Operation.ATOMIC_WRITE.code()) {
            s.forger.payload(8);
        }
        s.fire();
        s.refused(Counter.REFUSED_FORM);
    }
}
