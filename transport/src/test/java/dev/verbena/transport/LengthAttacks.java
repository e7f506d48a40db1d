package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.wire.Operation;
import java.util.List;
import java.util.function.Consumer;

/// Lengths that contradict each other: header, payload, pad, path MTU, receive request.
final class LengthAttacks {
    private LengthAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack("WRITE Only of another length than announced", LengthAttacks::writeOnly),
                attack("WRITE Only that announces nothing", LengthAttacks::announcesNothing),
                attack("WRITE First that would be the end", LengthAttacks::firstIsAll),
                attack("WRITE Middle beyond the end", LengthAttacks::middleBeyond),
                attack("WRITE Last too short or too long", LengthAttacks::writeLast),
                attack("payload longer than the path MTU", LengthAttacks::beyondMtu),
                attack("First or Middle of another MTU", LengthAttacks::otherMtu),
                attack("payload that no MTU allows", LengthAttacks::noMtu),
                attack("payload where none belongs", LengthAttacks::forbidden),
                attack("Last without payload", LengthAttacks::emptyLast),
                attack("a pad that eats payload", LengthAttacks::pad),
                attack("SEND longer than the receive", LengthAttacks::sendTooLong),
                attack("SEND that outgrows the receive", LengthAttacks::sendOutgrows));
    }

    private static Attack attack(String name, Consumer<AttackRun> strike) {
        return new Attack("lengths", name, strike);
    }

    private static PacketForger write(
            AttackRun s, Operation operation, long announced, int payload) {
        AttackRegion area = s.world.shared;
        return s.forge(s.world.open, operation)
                .remote(area.address, area.key, announced)
                .payload(payload);
    }

    private static void refusedLength(AttackRun s) {
        s.fire();
        s.refused(Counter.REFUSED_LENGTH);
    }

    private static void writeOnly(AttackRun s) {
        int payload = s.between(0, s.mtu);
        int announced = s.between(1, 4 * s.mtu);
        if (announced == payload) {
            announced++;
        }
        write(s, Operation.WRITE_ONLY, announced, payload);
        refusedLength(s);
    }

    private static void announcesNothing(AttackRun s) {
        write(s, Operation.WRITE_ONLY, 0, s.between(1, s.mtu));
        refusedLength(s);
    }

    private static void firstIsAll(AttackRun s) {
        write(s, Operation.WRITE_FIRST, s.between(0, s.mtu), s.mtu);
        refusedLength(s);
    }

    private static void middleBeyond(AttackRun s) {
        s.peer.writeFirst(s.world.open, s.world.shared, 0, s.mtu + s.between(1, s.mtu));
        write(s, Operation.WRITE_MIDDLE, 0, s.mtu);
        refusedLength(s);
    }

    private static void writeLast(AttackRun s) {
        int rest = s.between(1, s.mtu);
        s.peer.writeFirst(s.world.open, s.world.shared, 0, s.mtu + rest);
        int payload = s.between(1, s.mtu);
        if (payload == rest) {
            payload = rest == s.mtu ? rest - 1 : rest + 1;
        }
        write(s, Operation.WRITE_LAST, 0, payload);
        refusedLength(s);
    }

    private static void beyondMtu(AttackRun s) {
        Target target = s.world.open;
        int payload = s.between(s.mtu + 1, 3 * s.mtu);
        if (s.random.nextBoolean()) {
            write(s, Operation.WRITE_ONLY, payload, payload);
            refusedLength(s);
        } else {
            target.reconnect();
            s.peer.receive(target, 4L * s.mtu);
            write(s, Operation.SEND_ONLY, 0, payload);
            refusedLength(s);
            s.completed(CompletionStatus.LOCAL_LENGTH_ERROR);
        }
    }

    private static void otherMtu(AttackRun s) {
        Target target = s.world.open;
        int other = s.mtu == 256 ? 512 : s.pick(256, 2 * s.mtu);
        if (s.random.nextBoolean()) {
            write(s, Operation.WRITE_FIRST, 4L * s.mtu, other);
            refusedLength(s);
        } else {
            target.reconnect();
            s.peer.receive(target, 4L * s.mtu);
            write(s, Operation.SEND_FIRST, 0, other);
            refusedLength(s);
            s.completed(CompletionStatus.LOCAL_LENGTH_ERROR);
        }
    }

    private static void noMtu(AttackRun s) {
        s.peer.receive(s.world.open, 4L * s.mtu);
        Operation operation = s.pick(Operation.WRITE_FIRST, Operation.SEND_FIRST);
        int payload = s.mtu + s.pick(-4, -1, 1, 4, -s.mtu);
        if (s.random.nextInt(3) == 0) {
            operation = s.pick(Operation.WRITE_ONLY, Operation.SEND_ONLY);
            payload = 4096 + s.between(1, 256);
        }
        write(s, operation, payload, payload);
        s.fire();
        s.refused(Counter.REFUSED_FORM);
    }

    private static void forbidden(AttackRun s) {
        Operation operation =
                s.pick(Operation.READ_REQUEST, Operation.FETCH_ADD, Operation.COMPARE_SWAP);
        write(s, operation, 8, s.between(1, 64));
        s.fire();
        s.refused(Counter.REFUSED_FORM);
    }

    private static void emptyLast(AttackRun s) {
        s.peer.writeFirst(s.world.open, s.world.shared, 0, s.mtu + 1L);
        write(s, Operation.WRITE_LAST, 0, 0);
        s.fire();
        s.refused(Counter.REFUSED_FORM);
    }

    private static void pad(AttackRun s) {
        int words = s.between(1, s.mtu / 4);
        int pad = s.between(1, 3);
        write(s, Operation.WRITE_ONLY, 4L * words, 0).lie(4 * words - pad, pad, 4 * words);
        refusedLength(s);
    }

    private static void sendTooLong(AttackRun s) {
        Target target = s.world.open;
        target.reconnect();
        int room = s.between(0, s.mtu - 1);
        s.peer.receive(target, room);
        write(s, Operation.SEND_ONLY, 0, s.between(room + 1, s.mtu));
        s.fire();
        s.refused(Counter.TOO_LONG_MESSAGE);
        s.completed(CompletionStatus.LOCAL_LENGTH_ERROR);
    }

    private static void sendOutgrows(AttackRun s) {
        Target target = s.world.open;
        target.reconnect();
        int more = s.between(0, s.mtu - 1);
        s.peer.receive(target, s.mtu + (long) more);
        s.peer.sendFirst(target);
        boolean isEnd = s.random.nextBoolean();
        Operation operation = isEnd ? Operation.SEND_LAST : Operation.SEND_MIDDLE;
        write(s, operation, 0, isEnd ? s.between(more + 1, s.mtu) : s.mtu);
        s.fire();
        s.refused(Counter.TOO_LONG_MESSAGE);
        s.completed(CompletionStatus.LOCAL_LENGTH_ERROR);
    }
}
