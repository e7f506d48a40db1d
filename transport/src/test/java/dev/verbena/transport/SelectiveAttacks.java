package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;
import dev.verbena.wire.SackEth;
import dev.verbena.wire.Service;
import java.util.List;
import java.util.function.Consumer;

/// Requests to a queue pair that places WRITEs before their turn: without a right, beyond the map,
/// twice, in disagreement, and to one that has not agreed on it.
final class SelectiveAttacks {
    private static final int VOLLEY = 8;
    private static final int HALF = 1 << 23;

    private SelectiveAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack("early, under a key that opens nothing", SelectiveAttacks::strangeKey),
                attack("early, under another domain's key", SelectiveAttacks::otherDomain),
                attack("early, without the right", SelectiveAttacks::withoutRight),
                attack("early, to a queue pair that may not", SelectiveAttacks::mayNot),
                attack("early, beyond the region", SelectiveAttacks::beyondRegion),
                attack("early, under a window of another", SelectiveAttacks::otherWindow),
                attack("early, of another length than announced", SelectiveAttacks::otherLength),
                attack("early, and no WRITE of its kind", SelectiveAttacks::noWrite),
                attack("early, of bad form", SelectiveAttacks::badForm),
                attack("further ahead than the map", SelectiveAttacks::beyondMap),
                attack("placed, and once more with other bytes", SelectiveAttacks::placedAgain),
                attack("placed, and other words at its turn", SelectiveAttacks::otherWords),
                attack("placed, and another operation at its turn", SelectiveAttacks::otherKind),
                attack("placed, and its key withdrawn", SelectiveAttacks::keyWithdrawn),
                attack("a Last that fits no First", SelectiveAttacks::strangeLast),
                attack("a Last under another key", SelectiveAttacks::otherKey),
                attack("next, under a key that opens nothing", SelectiveAttacks::nextWithoutKey),
                attack("next, as WRITEs of RC are", SelectiveAttacks::plainWrite),
                attack("to a queue pair that has not agreed", SelectiveAttacks::notAgreed));
    }

    private static Attack attack(String name, Consumer<AttackRun> strike) {
        return new Attack("selective", name, strike);
    }

    private static Target target(AttackRun s) {
        return s.world.selective;
    }

    /// A WRITE of one packet so many numbers ahead of the next; not yet fired.
    private static PacketForger early(AttackRun s, int ahead, long address, int key, int length) {
        return s.forge(target(s), Operation.WRITE_ONLY)
                .remote(address, key, length)
                .payload(length)
                .psn(Psn.plus(target(s).expectedPsn, ahead));
    }

    private static int ahead(AttackRun s) {
        return s.between(1, SackEth.REACH - 1);
    }

    /// It is dropped, and told that it was seen; the connection goes on.
    private static void toldAndDropped(AttackRun s, Counter... by) {
        s.fire();
        s.moved(by);
        s.unmoved();
        requireSack(s);
    }

    private static void requireSack(AttackRun s) {
        if (s.sentPackets.count() != 1
                || s.sentPackets.operation(0) != Operation.SELECTIVE_ACKNOWLEDGE
                || s.sentPackets.destination(0) != target(s).peerNumber) {
            throw s.wrong("it was to be answered with a map of early packets");
        }
    }

    private static void goesOn(AttackRun s) {
        s.peer.write(target(s), s.world.shared, 0, 8);
    }

    private static void denied(AttackRun s, Counter by) {
        toldAndDropped(s, Counter.OUT_OF_SEQUENCE, Counter.EARLY_DROPPED, by);
    }

    private static void strangeKey(AttackRun s) {
        AttackRegion area = s.world.shared;
        for (int i = 0; i < VOLLEY; i++) {
            int key = area.key ^ (1 << s.random.nextInt(32));
            if (!s.world.isInForce(key)) {
                early(s, ahead(s), area.address, key, s.between(1, s.mtu));
                denied(s, Counter.DENIED_KEY);
            }
        }
        goesOn(s);
    }

    private static void otherDomain(AttackRun s) {
        AttackRegion area = s.world.foreign;
        early(s, ahead(s), area.address, area.key, s.between(1, s.mtu));
        denied(s, Counter.DENIED_DOMAIN);
        goesOn(s);
    }

    private static void withoutRight(AttackRun s) {
        AttackRegion area =
                s.pick(s.world.readable, s.world.counters, s.world.sealed, s.world.peephole);
        early(s, ahead(s), area.address, area.key, 8);
        denied(s, Counter.DENIED_RIGHT);
        goesOn(s);
    }

    private static void mayNot(AttackRun s) {
        Target target = s.world.selectiveReader;
        AttackRegion area = s.pick(s.world.shared, s.world.writable);
        s.forge(target, Operation.WRITE_ONLY)
                .remote(area.address, area.key, 8)
                .payload(8)
                .psn(Psn.plus(target.expectedPsn, ahead(s)));
        s.fire();
        s.moved(Counter.OUT_OF_SEQUENCE, Counter.EARLY_DROPPED);
        s.unmoved();
        s.peer.read(target, s.world.readable, 0, 8);
    }

    private static void otherWindow(AttackRun s) {
        AttackRegion area = s.world.personal;
        early(s, ahead(s), area.address, area.key, 8);
        denied(s, Counter.DENIED_PAIR);
        goesOn(s);
    }

    /// Of a longer message too, whose rest would not lie in the region.
    private static void beyondRegion(AttackRun s) {
        AttackRegion area = s.pick(s.world.shared, s.world.writable);
        int length = s.between(2, s.mtu);
        switch (s.random.nextInt(3)) {
            case 0 -> early(s, ahead(s), area.address - s.between(1, length), area.key, length);
            case 1 ->
                    early(
                            s,
                            ahead(s),
                            area.address + area.length - s.between(0, length - 1),
                            area.key,
                            length);
            default -> {
                early(s, ahead(s), area.address, area.key, s.mtu);
                s.forge(target(s), s.pick(Operation.WRITE_FIRST, Operation.WRITE_MIDDLE))
                        .remote(area.address, area.key, area.length + s.between(1, s.mtu))
                        .payload(s.mtu)
                        .psn(Psn.plus(target(s).expectedPsn, ahead(s)));
            }
        }
        denied(s, Counter.DENIED_BOUNDS);
        goesOn(s);
    }

    private static void otherLength(AttackRun s) {
        AttackRegion area = s.world.shared;
        int payload = s.between(1, s.mtu - 1);
        switch (s.random.nextInt(3)) {
            case 0 -> early(s, ahead(s), area.address, area.key, payload + 1).payload(payload);
            case 1 -> {
                early(s, ahead(s), area.address, area.key, s.mtu);
                s.forger.code = Service.MANUFACTURER_6.code() | Operation.WRITE_FIRST.code();
            }
            default -> {
                early(s, ahead(s), area.address, area.key, s.mtu);
                s.forger.remote(area.address, area.key, 0xFFFF_FFFFL);
                s.forger.code = Service.MANUFACTURER_6.code() | Operation.WRITE_MIDDLE.code();
            }
        }
        toldAndDropped(s, Counter.OUT_OF_SEQUENCE, Counter.EARLY_DROPPED);
        goesOn(s);
    }

    private static void noWrite(AttackRun s) {
        AttackRegion area = s.world.shared;
        for (int i = 0; i < VOLLEY; i++) {
            Operation operation =
                    s.pick(
                            Operation.SEND_ONLY,
                            Operation.READ_REQUEST,
                            Operation.FETCH_ADD,
                            Operation.WRITE_ONLY);
            boolean hasPayload =
                    operation == Operation.SEND_ONLY || operation == Operation.WRITE_ONLY;
            s.forge(target(s), operation)
                    .remote(area.address, area.key, 8)
                    .operands(1, 1)
                    .payload(hasPayload ? 8 : 0)
                    .psn(Psn.plus(target(s).expectedPsn, ahead(s)));
            s.forger.code = Service.RC.code() | operation.code();
            toldAndDropped(s, Counter.OUT_OF_SEQUENCE, Counter.EARLY_DROPPED);
        }
        goesOn(s);
    }

    private static void badForm(AttackRun s) {
        AttackRegion area = s.world.shared;
        early(s, ahead(s), area.address, area.key, 0);
        if (s.random.nextBoolean()) {
            // A Last without payload.
            s.forger.code = Service.MANUFACTURER_6.code() | Operation.WRITE_LAST.code();
        } else {
            s.forger.payload(4096 + s.between(1, 256));
        }
        toldAndDropped(s, Counter.OUT_OF_SEQUENCE, Counter.EARLY_DROPPED);
        goesOn(s);
    }

    /// Its place in the map belongs to another packet.
    private static void beyondMap(AttackRun s) {
        AttackRegion area = s.world.shared;
        for (int i = 0; i < VOLLEY; i++) {
            int ahead =
                    s.pick(
                            SackEth.REACH,
                            SackEth.REACH + 1,
                            s.between(SackEth.REACH, HALF - 1),
                            HALF - 1);
            early(s, ahead, area.address, area.key, 8);
            toldAndDropped(s, Counter.OUT_OF_SEQUENCE, Counter.EARLY_DROPPED);
        }
        goesOn(s);
    }

    /// Places eight bytes of the rightful peer one packet early.
    private static void place(AttackRun s, AttackRegion area) {
        early(s, 1, area.address + 16, area.key, 8);
        s.fireGenuine();
        s.moved(Counter.OUT_OF_SEQUENCE, Counter.EARLY_PLACED);
        requireSack(s);
        s.allow(area.address + 16, 8);
    }

    /// The packet in front of it comes: both are done.
    private static void fill(AttackRun s, AttackRegion area) {
        s.forge(target(s), Operation.WRITE_ONLY).remote(area.address, area.key, 8).payload(8);
        s.fireGenuine();
        s.moved(Counter.RECEIVED_WRITES, Counter.RECEIVED_WRITES);
        s.allow(area.address, 8);
        target(s).took(2);
    }

    private static void placedAgain(AttackRun s) {
        AttackRegion area = s.world.shared;
        place(s, area);
        for (int i = 0; i < VOLLEY; i++) {
            long address = area.address + s.pick(0, 16, 64);
            early(s, 1, address, s.pick(area.key, area.key + 1), s.between(1, s.mtu));
            toldAndDropped(s, Counter.OUT_OF_SEQUENCE, Counter.EARLY_DUPLICATE);
        }
        fill(s, area);
    }

    /// It waited for a receive; what comes then under its number has another key and more bytes.
    private static void otherWords(AttackRun s) {
        placeImmediate(s);
        s.peer.receive(target(s), s.mtu);
        AttackRegion area = s.pick(s.world.sealed, s.world.foreign, s.world.shared);
        s.forge(target(s), Operation.WRITE_ONLY_IMMEDIATE)
                .remote(area.address, s.pick(area.key, area.key + 1), s.mtu)
                .payload(s.mtu);
        s.fire();
        s.moved(Counter.RECEIVED_WRITES);
        target(s).took(1);
        target(s).receives--;
        s.completedWith(8);
    }

    private static void otherKind(AttackRun s) {
        placeImmediate(s);
        s.peer.receive(target(s), s.mtu);
        AttackRegion area = s.world.shared;
        Operation operation = s.pick(Operation.WRITE_ONLY, Operation.WRITE_FIRST);
        s.forge(target(s), operation)
                .remote(area.address, area.key, s.mtu + 8L)
                .payload(operation == Operation.WRITE_FIRST ? s.mtu : 8);
        s.fire();
        s.refused(Counter.REFUSED_ORDER);
    }

    /// An immediate is placed early, and refused at its turn because nothing is there to take it.
    private static void placeImmediate(AttackRun s) {
        AttackRegion area = s.world.shared;
        s.reconnect(target(s));
        s.forge(target(s), Operation.WRITE_ONLY_IMMEDIATE)
                .remote(area.address + 16, area.key, 8)
                .payload(8)
                .psn(Psn.plus(target(s).expectedPsn, 1));
        s.fireGenuine();
        s.moved(Counter.OUT_OF_SEQUENCE, Counter.EARLY_PLACED);
        s.allow(area.address + 16, 8);
        s.forge(target(s), Operation.WRITE_ONLY).remote(area.address, area.key, 8).payload(8);
        s.fireGenuine();
        s.moved(Counter.RECEIVED_WRITES);
        s.allow(area.address, 8);
        target(s).took(1);
        if (s.sentPackets.count() != 1
                || AethSyndrome.kind(s.sentPackets.syndrome(0)) != AethSyndrome.Kind.RNR_NAK
                || s.sentPackets.psn(0) != target(s).expectedPsn) {
            throw s.wrong("the immediate was to wait for a receive");
        }
    }

    /// Its bytes are there and it ends well; not a byte more comes under that key.
    private static void keyWithdrawn(AttackRun s) {
        AttackRegion area = s.world.fleeting;
        place(s, area);
        int old = area.renew();
        early(s, 2, area.address + 32, old, 8);
        denied(s, Counter.DENIED_KEY);
        fill(s, s.world.shared);
    }

    /// Placed with every right, and refused when its turn comes: it is no part of that message.
    private static void strangeLast(AttackRun s) {
        AttackRegion area = s.world.shared;
        int shift = s.pick(-4, 4);
        s.forge(target(s), Operation.WRITE_LAST)
                .remote(area.address + s.mtu + shift, area.key, 8)
                .payload(8)
                .psn(Psn.plus(target(s).expectedPsn, 1));
        s.fireGenuine();
        s.moved(Counter.OUT_OF_SEQUENCE, Counter.EARLY_PLACED);
        s.allow(area.address + s.mtu + shift, 8);
        s.forge(target(s), Operation.WRITE_FIRST)
                .remote(area.address, area.key, s.mtu + 8L)
                .payload(s.mtu);
        s.fire();
        s.moved(Counter.REFUSED_ORDER);
        s.allow(area.address, s.mtu);
        s.failed(AsyncEvent.Type.QUEUE_PAIR_REQUEST_ERROR);
    }

    /// All but its key is that of the message that it ends.
    private static void otherKey(AttackRun s) {
        AttackRegion area = s.world.shared;
        s.peer.writeFirst(target(s), area, 0, s.mtu + 8L);
        s.forge(target(s), Operation.WRITE_LAST)
                .remote(area.address + s.mtu, s.pick(area.key + 1, s.world.writable.key), 8)
                .payload(8);
        s.fire();
        s.refused(Counter.REFUSED_ORDER);
    }

    private static void nextWithoutKey(AttackRun s) {
        AttackRegion area = s.world.shared;
        early(s, 0, area.address, area.key, 8);
        switch (s.random.nextInt(3)) {
            case 0 -> {
                s.forger.remote(s.world.sealed.address, s.world.sealed.key, 8);
                s.fire();
                s.refused(Counter.DENIED_RIGHT);
            }
            case 1 -> {
                s.forger.remote(area.address + area.length - 4, area.key, 8);
                s.fire();
                s.refused(Counter.DENIED_BOUNDS);
            }
            default -> {
                s.forger.remote(s.world.foreign.address, s.world.foreign.key, 8);
                s.fire();
                s.refused(Counter.DENIED_DOMAIN);
            }
        }
    }

    /// One side took it for agreed, the other did not: they part, and no byte is misplaced.
    private static void plainWrite(AttackRun s) {
        AttackRegion area = s.world.shared;
        early(s, 0, area.address, area.key, 8);
        s.forger.code = Service.RC.code() | Operation.WRITE_ONLY.code();
        s.fire();
        s.refused(Counter.REFUSED_FORM);
    }

    private static void notAgreed(AttackRun s) {
        AttackRegion area = s.world.shared;
        Target other = s.pick(s.world.open, s.world.unreliable, s.world.datagrams);
        for (int i = 0; i < VOLLEY; i++) {
            Operation operation =
                    s.pick(
                            Operation.WRITE_ONLY,
                            Operation.WRITE_FIRST,
                            Operation.SELECTIVE_ACKNOWLEDGE);
            s.forge(other, operation == Operation.WRITE_FIRST ? operation : Operation.SEND_ONLY)
                    .remote(area.address, area.key, 8)
                    .payload(operation == Operation.SELECTIVE_ACKNOWLEDGE ? 0 : 8)
                    .select(other.sendPsn, other.sendPsn, -1)
                    .psn(Psn.plus(other.expectedPsn, s.pick(0, 1)));
            s.forger.code = Service.MANUFACTURER_6.code() | operation.code();
            s.fire();
            s.dropped(Counter.DROPPED_SERVICE);
        }
    }
}
