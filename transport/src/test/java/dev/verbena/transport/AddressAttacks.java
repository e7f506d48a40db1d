package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Cnp;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Pkey;
import java.util.List;
import java.util.function.Consumer;

/// Packets with a right key that come from the wrong place, go to the wrong queue pair, or are of
/// another partition, service or version.
final class AddressAttacks {
    /// Cheap ones come in volleys.
    private static final int VOLLEY = 8;

    private AddressAttacks() {}

    static List<Attack> all() {
        return List.of(
                spoof("a stranger's address", AddressAttacks::stranger),
                spoof("an address one bit off", AddressAttacks::oneBitOff),
                spoof("another connection's peer", AddressAttacks::otherPeer),
                spoof("the bystander connection's queue pair", AddressAttacks::innocent),
                attack("an unknown queue pair", AddressAttacks::unknownPair),
                attack("a special queue pair", AddressAttacks::specialPair),
                attack("a queue pair that was closed", AddressAttacks::closedPair),
                attack("a queue pair that takes no packets", AddressAttacks::wrongState),
                attack("another service", AddressAttacks::otherService),
                attack("a notification of congestion", AddressAttacks::notification),
                attack("another partition", AddressAttacks::otherPartition),
                attack("two limited members", AddressAttacks::limitedMembers),
                attack("a wrong checksum", AddressAttacks::checksum),
                attack("a packet that cannot be taken apart", AddressAttacks::malformed));
    }

    private static Attack attack(String name, Consumer<AttackRun> strike) {
        return new Attack("addresses", name, strike);
    }

    private static Attack spoof(String name, Consumer<AttackRun> strike) {
        return attack(name, strike).needing(AttackPath.Need.SOURCES);
    }

    /// A request that would be carried out if all else were right.
    private static void request(AttackRun s, Target target) {
        AttackRegion area = target == s.world.tenant ? s.world.foreign : s.world.shared;
        s.peer.oneSided(target, area, area.key);
    }

    private static void stranger(AttackRun s) {
        for (int i = 0; i < VOLLEY; i++) {
            request(s, s.world.open);
            s.forger.from =
                    s.pick(s.world.node(s.between(100, 65_000)), s.world.node(1), s.world.node(9));
            s.fire();
            s.dropped(Counter.DROPPED_SOURCE);
        }
    }

    private static void oneBitOff(AttackRun s) {
        AttackFrames.Shape shape = s.world.shape;
        for (int i = 0; i < VOLLEY; i++) {
            request(s, s.world.open);
            AttackFrames.Node peer = s.world.open.peer;
            int lid = peer.lid();
            long high = peer.gid().high();
            long low = peer.gid().low();
            int bit =
                    switch (shape) {
                        case ROCE_V2 -> s.between(0, s.world.path.sourceBits() - 1);
                        case IB_LOCAL -> s.between(128, 143);
                        case IB_GLOBAL -> s.between(0, 143);
                    };
            if (bit < 64) {
                low ^= 1L << bit;
            } else if (bit < 128) {
                high ^= 1L << bit;
            } else {
                lid ^= 1 << (bit - 128);
            }
            s.forger.from = new AttackFrames.Node(lid, new Gid(high, low));
            s.fire();
            s.dropped(Counter.DROPPED_SOURCE);
        }
    }

    private static void otherPeer(AttackRun s) {
        // Connections with receives of their own.
        List<Target> targets = s.world.targets.subList(0, 8);
        for (int i = 0; i < VOLLEY; i++) {
            Target target = targets.get(s.random.nextInt(targets.size()));
            request(s, target);
            Target other = targets.get(s.random.nextInt(targets.size()));
            if (other != target) {
                s.forger.from = other.peer;
                s.fire();
                s.dropped(Counter.DROPPED_SOURCE);
            }
        }
    }

    private static void innocent(AttackRun s) {
        for (int i = 0; i < VOLLEY; i++) {
            request(s, s.world.open);
            s.forger.destination = s.world.bystander.number();
            if (s.random.nextBoolean()) {
                s.fire();
                s.dropped(Counter.DROPPED_SOURCE);
            } else {
                s.forger.from = s.world.node(9);
                s.forger.pkey = s.pick(0, 0x8000, DeviceUnderAttack.LIMITED_PKEY, 0xFFFF);
                s.fire();
                s.dropped(Counter.DROPPED_PARTITION);
            }
        }
    }

    private static void unknownPair(AttackRun s) {
        for (int i = 0; i < VOLLEY; i++) {
            request(s, s.world.open);
            s.forger.destination = s.random.nextInt(2, 0xFF_FFFF);
            if (s.world.device.engine().pairs.find(s.forger.destination) == null) {
                s.fire();
                s.dropped(Counter.DROPPED_UNKNOWN_PAIR);
            }
        }
    }

    private static void specialPair(AttackRun s) {
        for (int i = 0; i < VOLLEY; i++) {
            request(s, s.world.open);
            s.forger.destination = s.pick(0, 1, 0xFF_FFFF);
            s.fire();
            s.dropped(
                    switch (s.forger.destination) {
                        case 1 -> Counter.DROPPED_MANAGEMENT;
                        case 0xFF_FFFF -> Counter.DROPPED_GROUP;
                        default -> Counter.DROPPED_UNKNOWN_PAIR;
                    });
        }
    }

    private static void closedPair(AttackRun s) {
        var pair =
                s.world.domain.queuePair(QueuePairType.RC, o -> o.completions(s.world.completions));
        int number = pair.number();
        pair.close();
        for (int i = 0; i < VOLLEY; i++) {
            request(s, s.world.open);
            s.forger.destination = number;
            s.fire();
            s.dropped(Counter.DROPPED_UNKNOWN_PAIR);
        }
    }

    private static void wrongState(AttackRun s) {
        Target target = s.world.open;
        // The peer's last packet before it, so that a receive of it is gone with the rest.
        QueuePairState state = s.pick(QueuePairState.ERROR, QueuePairState.RESET);
        target.pair.modify(state, new QueuePairAttributes());
        target.isBroken = true;
        for (int i = 0; i < VOLLEY; i++) {
            s.peer.oneSidedWithoutReceive(target, s.world.shared, s.world.shared.key);
            s.fire();
            s.dropped(Counter.DROPPED_STATE);
        }
    }

    private static void otherService(AttackRun s) {
        for (int i = 0; i < VOLLEY; i++) {
            request(s, s.world.open);
            s.forger.code |= s.between(1, 7) << 5;
            // Datagrams and others have headers of their own; the payload gives them room.
            s.forger.payload(64);
            s.fire();
            s.dropped(Counter.DROPPED_SERVICE);
        }
    }

    /// To one that does not control congestion.
    private static void notification(AttackRun s) {
        for (int i = 0; i < VOLLEY; i++) {
            request(s, s.world.open);
            s.forger.code = Opcode.CNP.code();
            s.forger.payload(Cnp.RESERVED_BYTES);
            s.fire();
            s.dropped(Counter.IGNORED_NOTICE);
        }
    }

    private static void otherPartition(AttackRun s) {
        for (int i = 0; i < VOLLEY; i++) {
            Target target = s.pick(s.world.open, s.world.limited);
            request(s, target);
            int own =
                    target == s.world.limited
                            ? DeviceUnderAttack.LIMITED_PKEY
                            : DeviceUnderAttack.FULL_PKEY;
            int pkey =
                    s.pick(
                            0,
                            0x8000,
                            0xFFFF,
                            own ^ (1 << s.random.nextInt(15)),
                            s.random.nextInt(0x10000));
            if (!Pkey.match(own, pkey)) {
                s.forger.pkey = pkey;
                s.fire();
                s.dropped(Counter.DROPPED_PARTITION);
            }
        }
    }

    private static void limitedMembers(AttackRun s) {
        for (int i = 0; i < VOLLEY; i++) {
            request(s, s.world.limited);
            s.forger.pkey = DeviceUnderAttack.LIMITED_PKEY;
            s.fire();
            s.dropped(Counter.DROPPED_PARTITION);
        }
    }

    private static void checksum(AttackRun s) {
        for (int i = 0; i < VOLLEY; i++) {
            request(s, s.world.open);
            // In the key or address: a byte that changes what is asked for, and no length.
            if (s.fireSpoiled(s.between(12, 23), s.between(1, 255))) {
                s.dropped(Counter.DROPPED_CORRUPT);
            }
        }
    }

    private static void malformed(AttackRun s) {
        for (int i = 0; i < VOLLEY; i++) {
            request(s, s.world.open);
            switch (s.random.nextInt(3)) {
                case 0 -> s.forger.version = s.between(1, 15);
                case 1 -> {
                    s.forge(s.world.open, Operation.WRITE_ONLY)
                            .remote(s.world.shared.address, s.world.shared.key, 1)
                            .lie(0, s.between(1, 3), 0);
                }
                default -> {
                    // Shorter than the headers that its opcode asks for.
                    s.forge(s.world.open, s.pick(Operation.WRITE_ONLY, Operation.FETCH_ADD))
                            .lie(0, 0, -4 * s.between(1, 4));
                }
            }
            s.fire();
            s.dropped(Counter.DROPPED_MALFORMED);
        }
    }
}
