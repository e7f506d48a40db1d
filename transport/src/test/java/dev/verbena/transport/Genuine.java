package dev.verbena.transport;

import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.SendBatch;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;

/// What the rightful peer of a target sends, with the keys that it was given: an attack needs some
/// of it before, in between, or to see that the connection still works.
///
/// All of it is carried out, and the books say so: sequence numbers here, bytes in the field.
final class Genuine {
    private static final Operation[] ONE_SIDED = {
        Operation.WRITE_ONLY,
        Operation.WRITE_FIRST,
        Operation.WRITE_ONLY_IMMEDIATE,
        Operation.READ_REQUEST,
        Operation.FETCH_ADD,
        Operation.COMPARE_SWAP
    };

    private final Siege siege;

    Genuine(Siege siege) {
        this.siege = siege;
    }

    /// A whole WRITE in one packet.
    void write(Target target, Plot plot, long offset, int length) {
        long address = plot.address + offset;
        siege.forge(target, Operation.WRITE_ONLY).remote(address, plot.key, length).payload(length);
        siege.fireGenuine();
        siege.moved(Counter.RECEIVED_WRITES);
        wrote(address, length);
        taken(target);
    }

    /// The first packet of a WRITE.
    void writeFirst(Target target, Plot plot, long offset, long announced) {
        long address = plot.address + offset;
        siege.forge(target, Operation.WRITE_FIRST)
                .remote(address, plot.key, announced)
                .payload(siege.mtu);
        siege.fireGenuine();
        siege.moved();
        wrote(address, siege.mtu);
        taken(target);
    }

    /// A further packet of the WRITE that began at this place.
    void writeMiddle(Target target, Plot plot, long offset) {
        siege.forge(target, Operation.WRITE_MIDDLE).payload(siege.mtu);
        siege.fireGenuine();
        siege.moved();
        wrote(plot.address + offset, siege.mtu);
        taken(target);
    }

    /// A whole message into a receive request of the target's.
    void send(Target target, int length) {
        siege.forge(target, Operation.SEND_ONLY).payload(length);
        siege.fireGenuine();
        siege.moved(Counter.RECEIVED_SENDS);
        wrote(siege.world.receives.address, length);
        target.receives--;
        taken(target);
        siege.completed(CompletionStatus.SUCCESS);
    }

    /// The first packet of a message.
    void sendFirst(Target target) {
        siege.forge(target, Operation.SEND_FIRST).payload(siege.mtu);
        siege.fireGenuine();
        siege.moved();
        wrote(siege.world.receives.address, siege.mtu);
        target.receives--;
        taken(target);
    }

    /// A READ, whose answers are compared with what was asked for.
    void read(Target target, Plot plot, long offset, int length) {
        siege.forge(target, Operation.READ_REQUEST).remote(plot.address + offset, plot.key, length);
        siege.fireGenuine();
        siege.moved(Counter.RECEIVED_READS);
        if (siege.budget > length) {
            answers(target, plot.address + offset, length, target.expectedPsn);
        }
        target.took(packets(length));
    }

    /// Compares the answers to a READ that began at this address and sequence number.
    void answers(Target target, long address, int length, int psn) {
        Watch watch = siege.watch;
        int packets = packets(length);
        boolean fits = watch.count() == packets;
        for (int i = 0; fits && i < packets; i++) {
            int part = Math.min(siege.mtu, length - i * siege.mtu);
            fits =
                    watch.psn(i) == Psn.plus(psn, i)
                            && watch.length(i) == part
                            && watch.destination(i) == target.peerNumber
                            && (part == 0
                                    || watch.carries(
                                            i,
                                            siege.world.field.bytes(),
                                            address + (long) i * siege.mtu));
        }
        if (!fits) {
            throw siege.wrong("a READ of %d bytes was to be answered".formatted(length));
        }
    }

    /// Adds to eight bytes; returns what they were.
    long add(Target target, Plot plot, long offset, long addend) {
        long address = plot.address + offset;
        long before = siege.world.field.word(address);
        siege.forge(target, Operation.FETCH_ADD).remote(address, plot.key, 0).operands(addend, 0);
        siege.fireGenuine();
        siege.moved(Counter.RECEIVED_ATOMICS);
        siege.world.field.allow(address, before + addend);
        if (siege.budget > 0) {
            atomicAnswer(before, target.expectedPsn);
        }
        target.took(1);
        return before;
    }

    /// Looks that the answer to an atomic left, with this value.
    void atomicAnswer(long value, int psn) {
        Watch watch = siege.watch;
        if (watch.count() != 1
                || watch.operation(0) != Operation.ATOMIC_ACKNOWLEDGE
                || watch.psn(0) != psn
                || watch.value(0) != value) {
            throw siege.wrong("an atomic was to be answered with 0x%x".formatted(value));
        }
    }

    /// A one-sided request of any kind for bytes of a plot, under any key; not yet fired.
    void oneSided(Target target, Plot plot, int key) {
        if (target.receives == 0) {
            receive(target, siege.mtu);
        }
        oneSidedWithoutReceive(target, plot, key);
    }

    /// The same for a target that may not hold receive requests.
    void oneSidedWithoutReceive(Target target, Plot plot, int key) {
        Operation operation = ONE_SIDED[siege.random.nextInt(ONE_SIDED.length)];
        int most = (int) Math.min(siege.mtu, plot.length);
        switch (operation) {
            case FETCH_ADD, COMPARE_SWAP -> {
                long address = ((plot.address + 7) & -8) + 8L * siege.between(0, 3);
                siege.forge(target, operation)
                        .remote(address, key, 0)
                        .operands(siege.random.nextLong(), siege.world.field.word(address));
            }
            case WRITE_FIRST ->
                    siege.forge(target, operation)
                            .remote(plot.address, key, Math.min(plot.length, siege.mtu + 1L))
                            .payload(siege.mtu);
            default -> {
                int length = siege.between(1, most);
                long address = plot.address + siege.random.nextLong(plot.length - length + 1);
                siege.forge(target, operation)
                        .remote(address, key, length)
                        .payload(operation == Operation.READ_REQUEST ? 0 : length);
            }
        }
    }

    /// A WRITE or READ of these bytes, under any key; not yet fired.
    void access(Target target, boolean write, long address, int key, long length) {
        if (!write) {
            siege.forge(target, Operation.READ_REQUEST).remote(address, key, length);
        } else if (length > siege.mtu) {
            siege.forge(target, Operation.WRITE_FIRST)
                    .remote(address, key, length)
                    .payload(siege.mtu);
        } else {
            siege.forge(target, Operation.WRITE_ONLY)
                    .remote(address, key, length)
                    .payload((int) length);
        }
    }

    /// A message that takes the key of a plot out of force.
    void sendInvalidate(Target target, Plot plot) {
        if (target.receives == 0) {
            receive(target, siege.mtu);
        }
        siege.forge(target, Operation.SEND_ONLY_INVALIDATE).payload(8).invalidate(plot.key);
        siege.fireGenuine();
        siege.moved(Counter.RECEIVED_SENDS, Counter.INVALIDATED_BY_PEER);
        plot.isOpen = false;
        wrote(siege.world.receives.address, 8);
        target.receives--;
        taken(target);
        siege.completed(CompletionStatus.SUCCESS);
    }

    /// The target's program binds a window anew; returns the key before.
    int bind(Target target, Plot plot) {
        int old = plot.bind(target);
        siege.drain();
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
        if (!batch.local(siege.world.local.region, 0, length).signaled().post()) {
            throw siege.wrong("a request was to be posted");
        }
        siege.watch.clear();
        siege.drain();
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
        if (target != siege.world.tenant) {
            batch.local(siege.world.receives.region, 0, length);
        }
        if (!batch.post()) {
            throw siege.wrong("a receive was to be posted");
        }
        target.receives++;
    }

    int packets(int length) {
        return Math.max(1, (length + siege.mtu - 1) / siege.mtu);
    }

    private void wrote(long address, int length) {
        siege.allow(address, length);
    }

    private void taken(Target target) {
        Watch watch = siege.watch;
        if (siege.budget > 0
                && (watch.count() != 1
                        || watch.psn(0) != target.expectedPsn
                        || AethSyndrome.kind(watch.syndrome(0)) != AethSyndrome.Kind.ACK)) {
            throw siege.wrong("a packet of the peer was to be acknowledged");
        }
        target.took(1);
    }
}
