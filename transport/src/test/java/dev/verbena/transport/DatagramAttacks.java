package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.wire.Operation;
import java.util.List;
import java.util.function.Consumer;

/// Datagrams, which any sender with the queue key may send.
final class DatagramAttacks {
    private static final int VOLLEY = 8;
    private static final int HEADER = DatagramHeader.LENGTH;
    private static final int MULTICAST = 0xFF_FFFF;

    private DatagramAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack("a wrong queue key", DatagramAttacks::queueKey),
                attack("a wrong partition", DatagramAttacks::partition),
                attack("without a receive", DatagramAttacks::noReceive),
                attack("longer than the receive", DatagramAttacks::tooLong),
                attack("longer than the MTU", DatagramAttacks::beyondMtu),
                attack("of bad form", DatagramAttacks::form),
                attack("of another service", DatagramAttacks::service),
                strange("to an unknown group", DatagramAttacks::unknownGroup),
                group("to a group with a wrong queue key", DatagramAttacks::groupKey),
                group("to a group as if from the member itself", DatagramAttacks::ownSource),
                strange("from a group, which an answer would go to", DatagramAttacks::fromGroup),
                group("to a group, with the number of one", DatagramAttacks::groupForOne),
                attack("from a stranger with the queue key", DatagramAttacks::stranger));
    }

    private static Attack attack(String name, Consumer<AttackRun> strike) {
        return new Attack("UD", name, strike);
    }

    private static Attack group(String name, Consumer<AttackRun> strike) {
        return attack(name, strike).needing(AttackPath.Need.GROUPS);
    }

    private static Attack strange(String name, Consumer<AttackRun> strike) {
        return attack(name, strike).needing(AttackPath.Need.STRANGE_GROUPS);
    }

    private static PacketForger datagram(AttackRun s, Target target, int payload) {
        return s.forge(
                        target,
                        s.random.nextInt(4) == 0
                                ? Operation.SEND_ONLY_IMMEDIATE
                                : Operation.SEND_ONLY)
                .payload(payload)
                .psn(s.random.nextInt(1 << 24));
    }

    private static Target ready(AttackRun s) {
        Target target = s.world.datagrams;
        if (target.receives == 0) {
            s.peer.receive(target, HEADER + (long) s.mtu);
        }
        return target;
    }

    private static void dropped(AttackRun s, Target target, Counter by) {
        s.fire();
        s.dropped(by);
        if (target.pair.receiveQueue().count() != target.receives) {
            throw s.wrong("a datagram that was dropped took a receive request");
        }
    }

    private static void queueKey(AttackRun s) {
        Target target = ready(s);
        for (int i = 0; i < VOLLEY; i++) {
            datagram(s, target, s.between(0, s.mtu));
            int key =
                    s.pick(
                            0,
                            0x8001_0000,
                            s.world.member.queueKey,
                            target.queueKey ^ (1 << s.random.nextInt(32)),
                            s.random.nextInt());
            if (key != target.queueKey) {
                s.forger.queueKey = key;
                dropped(s, target, Counter.DROPPED_QUEUE_KEY);
            }
        }
    }

    private static void partition(AttackRun s) {
        Target target = ready(s);
        for (int i = 0; i < VOLLEY; i++) {
            datagram(s, target, 16);
            s.forger.pkey = s.pick(0, 0x8000, DeviceUnderAttack.LIMITED_PKEY, 0xFFFF);
            dropped(s, target, Counter.DROPPED_PARTITION);
        }
    }

    private static void noReceive(AttackRun s) {
        Target target = s.world.datagrams;
        target.reconnect();
        for (int i = 0; i < VOLLEY; i++) {
            datagram(s, target, s.between(0, s.mtu));
            dropped(s, target, Counter.DROPPED_NO_RECEIVE);
        }
    }

    private static void tooLong(AttackRun s) {
        Target target = s.world.datagrams;
        target.reconnect();
        int room = s.between(0, s.mtu - 1);
        s.peer.receive(target, HEADER + (long) room);
        for (int i = 0; i < VOLLEY; i++) {
            datagram(s, target, s.between(room + 1, s.mtu));
            dropped(s, target, Counter.DROPPED_LENGTH);
        }
        target.reconnect();
    }

    private static void beyondMtu(AttackRun s) {
        Target target = s.world.datagrams;
        target.reconnect();
        // Room enough in two pieces, so that it is the MTU that counts.
        target.pair
                .receives()
                .receive()
                .local(s.world.receives.region, 0, 4L * s.mtu)
                .local(s.world.local.region, 0, 4L * s.mtu)
                .post();
        target.receives = 1;
        for (int i = 0; i < VOLLEY; i++) {
            datagram(s, target, s.between(s.mtu + 1, Math.min(4096, 7 * s.mtu)));
            dropped(s, target, Counter.DROPPED_LENGTH);
        }
        target.reconnect();
    }

    private static void form(AttackRun s) {
        Target target = ready(s);
        for (int i = 0; i < VOLLEY; i++) {
            if (s.random.nextBoolean()) {
                datagram(s, target, 4096 + s.between(1, 64));
            } else {
                Operation operation =
                        s.pick(
                                Operation.SEND_FIRST,
                                Operation.WRITE_ONLY,
                                Operation.READ_REQUEST,
                                Operation.ACKNOWLEDGE,
                                Operation.FETCH_ADD);
                s.forge(target, operation).payload(64);
            }
            dropped(s, target, Counter.REFUSED_FORM);
        }
    }

    private static void service(AttackRun s) {
        Target target = ready(s);
        for (int i = 0; i < VOLLEY; i++) {
            s.forge(target, s.pick(Operation.SEND_ONLY, Operation.WRITE_ONLY))
                    .remote(s.world.shared.address, s.world.shared.key, 16)
                    .payload(16);
            // Of a reliable or an unreliable connection.
            s.forger.code = (s.forger.code & 0x1F) | s.pick(0x00, 0x20);
            dropped(s, target, Counter.DROPPED_SERVICE);
        }
    }

    private static PacketForger toGroup(AttackRun s, int number) {
        datagram(s, s.world.member, 16);
        s.forger.destination = MULTICAST;
        s.forger.to = s.world.group(number);
        return s.forger;
    }

    private static void unknownGroup(AttackRun s) {
        for (int i = 0; i < VOLLEY; i++) {
            toGroup(s, s.between(2, 1 << 20));
            dropped(s, s.world.member, Counter.DROPPED_GROUP);
        }
    }

    /// Without a GRH no packet names a group.
    private static boolean hasGroups(AttackRun s) {
        return s.world.shape != AttackFrames.Shape.IB_LOCAL;
    }

    private static void groupKey(AttackRun s) {
        for (int i = 0; i < VOLLEY && hasGroups(s); i++) {
            toGroup(s, 1).queueKey ^= 1 << s.random.nextInt(32);
            dropped(s, s.world.member, Counter.DROPPED_QUEUE_KEY);
        }
    }

    /// It does not receive its own datagrams; so no attacker can reach it under its own name.
    private static void ownSource(AttackRun s) {
        for (int i = 0; i < VOLLEY && hasGroups(s); i++) {
            toGroup(s, 1).from = s.world.node(1);
            s.forger.sourcePair = s.world.member.pair.number();
            s.fire();
            s.dropped();
        }
    }

    private static void fromGroup(AttackRun s) {
        Target target = ready(s);
        for (int i = 0; i < VOLLEY && hasGroups(s); i++) {
            datagram(s, target, 16).from =
                    new AttackFrames.Node(s.forger.from.lid(), s.world.group(s.between(1, 9)));
            dropped(s, target, Counter.DROPPED_SOURCE);
        }
    }

    private static void groupForOne(AttackRun s) {
        Target target = ready(s);
        for (int i = 0; i < VOLLEY && hasGroups(s); i++) {
            boolean isAny = s.world.path.lacks(AttackPath.Need.STRANGE_GROUPS).isEmpty();
            datagram(s, target, 16).to = s.world.group(isAny ? s.between(1, 9) : 1);
            dropped(s, target, Counter.DROPPED_GROUP);
        }
    }

    /// A sender with the queue key gets in, from any address: into a receive request, and no
    /// further.
    private static void stranger(AttackRun s) {
        Target target = ready(s);
        int length = s.between(0, s.mtu);
        datagram(s, target, length).from = s.world.node(s.between(100, 60_000));
        s.fire();
        s.moved(Counter.RECEIVED_DATAGRAMS);
        target.receives--;
        if (hasGroups(s)) {
            s.world.field.accept(s.world.receives.address, HEADER);
        }
        s.allow(s.world.receives.address + HEADER, length);
        s.completed(CompletionStatus.SUCCESS);
    }
}
