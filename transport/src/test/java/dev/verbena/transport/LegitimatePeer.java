package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.SendBatch;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;

/// What the rightful peer of a target sends, with the keys that it was given: an attack needs some
/// of it before, in between, or to see that the connection still works.
///
/// All of it is carried out, and the books say so: sequence numbers here, bytes in the canary
/// memory.
final class LegitimatePeer {
    private static final Operation[] ONE_SIDED = {
        Operation.WRITE_ONLY,
        Operation.WRITE_FIRST,
        Operation.WRITE_ONLY_IMMEDIATE,
        Operation.READ_REQUEST,
        Operation.FETCH_ADD,
        Operation.COMPARE_SWAP
    };

    private final AttackRun run;

    LegitimatePeer(AttackRun run) {
        this.run = run;
    }

    /// A whole WRITE in one packet.
    void write(Target target, AttackRegion area, long offset, int length) {
        long address = area.address + offset;
        run.forge(target, Operation.WRITE_ONLY).remote(address, area.key, length).payload(length);
        run.fireGenuine();
        run.moved(Counter.RECEIVED_WRITES);
        wrote(address, length);
        taken(target);
    }

    /// The first packet of a WRITE.
    void writeFirst(Target target, AttackRegion area, long offset, long announced) {
        long address = area.address + offset;
        run.forge(target, Operation.WRITE_FIRST)
                .remote(address, area.key, announced)
                .payload(run.mtu);
        run.fireGenuine();
        run.moved();
        wrote(address, run.mtu);
        taken(target);
    }

    /// A further packet of the WRITE that began at this place.
    void writeMiddle(Target target, AttackRegion area, long offset) {
        run.forge(target, Operation.WRITE_MIDDLE).payload(run.mtu);
        run.fireGenuine();
        run.moved();
        wrote(area.address + offset, run.mtu);
        taken(target);
    }

    /// A whole message into a receive request of the target's.
    void send(Target target, int length) {
        run.forge(target, Operation.SEND_ONLY).payload(length);
        run.fireGenuine();
        run.moved(Counter.RECEIVED_SENDS);
        wrote(run.world.receives.address, length);
        target.receives--;
        taken(target);
        run.completed(CompletionStatus.SUCCESS);
    }

    /// The first packet of a message.
    void sendFirst(Target target) {
        run.forge(target, Operation.SEND_FIRST).payload(run.mtu);
        run.fireGenuine();
        run.moved();
        wrote(run.world.receives.address, run.mtu);
        target.receives--;
        taken(target);
    }

    /// A READ, whose answers are compared with what was asked for.
    void read(Target target, AttackRegion area, long offset, int length) {
        run.forge(target, Operation.READ_REQUEST).remote(area.address + offset, area.key, length);
        run.fireGenuine();
        run.moved(Counter.RECEIVED_READS);
        if (run.budget > length) {
            answers(target, area.address + offset, length, target.expectedPsn);
        }
        target.took(packets(length));
    }

    /// Compares the answers to a READ that began at this address and sequence number.
    void answers(Target target, long address, int length, int psn) {
        SentPackets sentPackets = run.sentPackets;
        int packets = packets(length);
        boolean fits = sentPackets.count() == packets;
        for (int i = 0; fits && i < packets; i++) {
            int part = Math.min(run.mtu, length - i * run.mtu);
            fits =
                    sentPackets.psn(i) == Psn.plus(psn, i)
                            && sentPackets.length(i) == part
                            && sentPackets.destination(i) == target.peerNumber
                            && (part == 0
                                    || sentPackets.carries(
                                            i,
                                            run.world.field.bytes(),
                                            address + (long) i * run.mtu));
        }
        if (!fits) {
            throw run.wrong("a READ of %d bytes was to be answered".formatted(length));
        }
    }

    /// Adds to eight bytes; returns what they were.
    long add(Target target, AttackRegion area, long offset, long addend) {
        long address = area.address + offset;
        long before = run.world.field.word(address);
        run.forge(target, Operation.FETCH_ADD).remote(address, area.key, 0).operands(addend, 0);
        run.fireGenuine();
        run.moved(Counter.RECEIVED_ATOMICS);
        run.world.field.allow(address, before + addend);
        if (run.budget > 0) {
            atomicAnswer(before, target.expectedPsn);
        }
        target.took(1);
        return before;
    }

    /// Looks that the answer to an atomic left, with this value.
    void atomicAnswer(long value, int psn) {
        SentPackets sentPackets = run.sentPackets;
        if (sentPackets.count() != 1
                || sentPackets.operation(0) != Operation.ATOMIC_ACKNOWLEDGE
                || sentPackets.psn(0) != psn
                || sentPackets.value(0) != value) {
            throw run.wrong("an atomic was to be answered with 0x%x".formatted(value));
        }
    }

    /// A one-sided request of any kind for bytes of a region, under any key; not yet fired.
    void oneSided(Target target, AttackRegion area, int key) {
        if (target.receives == 0) {
            receive(target, run.mtu);
        }
        oneSidedWithoutReceive(target, area, key);
    }

    /// The same for a target that may not hold receive requests.
    void oneSidedWithoutReceive(Target target, AttackRegion area, int key) {
        Operation operation = ONE_SIDED[run.random.nextInt(ONE_SIDED.length)];
        int most = (int) Math.min(run.mtu, area.length);
        switch (operation) {
            case FETCH_ADD, COMPARE_SWAP -> {
                long address = ((area.address + 7) & -8) + 8L * run.between(0, 3);
                run.forge(target, operation)
                        .remote(address, key, 0)
                        .operands(run.random.nextLong(), run.world.field.word(address));
            }
            case WRITE_FIRST ->
                    run.forge(target, operation)
                            .remote(area.address, key, Math.min(area.length, run.mtu + 1L))
                            .payload(run.mtu);
            default -> {
                int length = run.between(1, most);
                long address = area.address + run.random.nextLong(area.length - length + 1);
                run.forge(target, operation)
                        .remote(address, key, length)
                        .payload(operation == Operation.READ_REQUEST ? 0 : length);
            }
        }
    }

    /// A WRITE or READ of these bytes, under any key; not yet fired.
    void access(Target target, boolean write, long address, int key, long length) {
        if (!write) {
            run.forge(target, Operation.READ_REQUEST).remote(address, key, length);
        } else if (length > run.mtu) {
            run.forge(target, Operation.WRITE_FIRST).remote(address, key, length).payload(run.mtu);
        } else {
            run.forge(target, Operation.WRITE_ONLY)
                    .remote(address, key, length)
                    .payload((int) length);
        }
    }

    /// A message that takes the key of a region out of force.
    void sendInvalidate(Target target, AttackRegion area) {
        if (target.receives == 0) {
            receive(target, run.mtu);
        }
        run.forge(target, Operation.SEND_ONLY_INVALIDATE).payload(8).invalidate(area.key);
        run.fireGenuine();
        run.moved(Counter.RECEIVED_SENDS, Counter.INVALIDATED_BY_PEER);
        area.isOpen = false;
        wrote(run.world.receives.address, 8);
        target.receives--;
        taken(target);
        run.completed(CompletionStatus.SUCCESS);
    }

    /// The target's program binds a window anew; returns the key before.
    int bind(Target target, AttackRegion area) {
        int old = area.bind(target);
        run.drain();
        return old;
    }

    /// The target's program posts a request of its own, which leaves.
    void post(Target target, Operation operation, long address, int key, int length) {
        SendBatch batch = target.pair.sends();
        switch (operation) {
            case WRITE_ONLY -> batch.write(address, key);
            case READ_REQUEST -> batch.read(address, key);
            case FETCH_ADD -> batch.fetchAndAdd(address, key, 1);
            case COMPARE_SWAP -> batch.compareAndSwap(address, key, 1, 2);
            default -> batch.send();
        }
        if (!batch.local(run.world.local.region, 0, length).signaled().post()) {
            throw run.wrong("a request was to be posted");
        }
        run.sentPackets.clear();
        run.drain();
        target.sendPsn =
                Psn.plus(
                        target.sendPsn,
                        operation == Operation.FETCH_ADD || operation == Operation.COMPARE_SWAP
                                ? 1
                                : packets(length));
    }

    /// Posts a receive request of so many bytes; one of the other domain has none.
    void receive(Target target, long length) {
        ReceiveBatch batch = target.pair.receives().receive();
        if (target != run.world.tenant) {
            batch.local(run.world.receives.region, 0, length);
        }
        if (!batch.post()) {
            throw run.wrong("a receive was to be posted");
        }
        target.receives++;
    }

    int packets(int length) {
        return Math.max(1, (length + run.mtu - 1) / run.mtu);
    }

    private void wrote(long address, int length) {
        run.allow(address, length);
    }

    private void taken(Target target) {
        SentPackets sentPackets = run.sentPackets;
        if (run.budget > 0
                && (sentPackets.count() != 1
                        || sentPackets.psn(0) != target.expectedPsn
                        || AethSyndrome.kind(sentPackets.syndrome(0)) != AethSyndrome.Kind.ACK)) {
            throw run.wrong("a packet of the peer was to be acknowledged");
        }
        target.took(1);
    }
}
