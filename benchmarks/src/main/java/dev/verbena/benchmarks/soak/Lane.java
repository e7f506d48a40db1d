package dev.verbena.benchmarks.soak;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// The active side of one connection, from its first message to the answer to its last.
final class Lane implements AutoCloseable {
    private static final long REPLY_AT = 2L * SoakSettings.DEPTH * SoakSettings.LARGEST;
    private static final long LENGTH = REPLY_AT + Long.BYTES;

    /// What there is to choose from.
    private static final List<Slot.Kind> KINDS =
            List.of(Slot.Kind.SEND, Slot.Kind.WRITE_READ, Slot.Kind.ADD);

    /// The identity of the receive that waits for the answer.
    private static final int REPLY = SoakSettings.DEPTH;

    private final long id;
    private final ProgressLog log;
    private final SplittableRandom random;
    private final MemoryRegion region;
    private final QueuePair pair;
    private final Connection connection;
    private final Slot[] slots = new Slot[SoakSettings.DEPTH];
    private RemoteSlice remote;
    private boolean isReady;
    private boolean isLastSent;
    private boolean isAnswered;
    private boolean isDone;
    private int left;
    private int busy;
    private long letters;
    private long added;

    Lane(
            long id,
            ProgressLog log,
            SplittableRandom random,
            Device device,
            ProtectionDomain domain,
            CompletionQueue completions,
            Address peer) {
        this.id = id;
        this.log = log;
        this.random = random;
        left = 100 + random.nextInt(2000);
        region = domain.allocate(LENGTH, Access.LOCAL_WRITE);
        remote = region.remote();
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new Slot(i);
        }
        pair =
                domain.queuePair(
                        QueuePairType.RC,
                        it ->
                                it.completions(completions)
                                        .sendDepth(2 * SoakSettings.DEPTH)
                                        .receiveDepth(1));
        pair.receives().receive().local(region, REPLY_AT, Long.BYTES).id(id + REPLY).post();
        connection = device.connect(pair, peer, SoakSettings.PORT);
    }

    /// The peer, whose message was the last, ends the connection: we do not know when it has our
    /// acknowledgement.
    boolean isOver() {
        return isDone || (isAnswered && connection.state() != Connection.State.ESTABLISHED);
    }

    /// Posts what it can.
    void advance() {
        if (!isReady) {
            switch (connection.state()) {
                case CONNECTING -> {
                    return;
                }
                case ESTABLISHED -> {
                    isReady = true;
                    log.connections++;
                    // A reply has room for more, and comes whole (IBA 12.6.8).
                    byte[] told = Arrays.copyOf(connection.privateData(), RemoteSlice.LENGTH);
                    remote = RemoteSlice.of(told);
                }
                case FAILED, DISCONNECTED -> {
                    notMade();
                    return;
                }
            }
        }
        for (Slot slot : slots) {
            if (!slot.isBusy && left > 0) {
                left--;
                begin(slot);
            }
        }
        if (left == 0 && busy == 0 && !isLastSent) {
            isLastSent = true;
            last(slots[0]);
        }
    }

    private void notMade() {
        isDone = true;
        try {
            connection.await(Duration.ZERO);
            log.wrong(connection + " ended before it was used");
        } catch (ConnectionFailedException reason) {
            log.wrong(reason.toString());
        }
    }

    private void begin(Slot slot) {
        slot.isBusy = true;
        busy++;
        slot.kind = KINDS.get(random.nextInt(KINDS.size()));
        // As many small ones as large ones.
        int largest =
                1 << random.nextInt(5, Integer.numberOfTrailingZeros(SoakSettings.LARGEST) + 1);
        slot.length = random.nextInt(SendContent.LEAST, largest + 1);
        switch (slot.kind) {
            case SEND -> {
                SendContent.put(region.segment(), slot.outAt(), slot.length, letters++);
                pair.sends()
                        .send()
                        .local(region, slot.outAt(), slot.length)
                        .id(id + slot.number)
                        .signaled()
                        .post();
            }
            case WRITE_READ -> {
                slot.expected = random.nextLong();
                Content.put(region.segment(), slot.outAt(), slot.length, slot.expected);
                long there = remote.address() + (long) slot.number * SoakSettings.LARGEST;
                pair.sends()
                        .write(there, remote.key())
                        .local(region, slot.outAt(), slot.length)
                        .id(id + slot.number)
                        .read(there, remote.key())
                        .local(region, slot.inAt(), slot.length)
                        .id(id + slot.number)
                        .signaled()
                        .post();
            }
            case ADD -> {
                slot.length = Long.BYTES;
                slot.expected = added++;
                pair.sends()
                        .fetchAndAdd(
                                remote.address() + ServedConnection.counterAt(), remote.key(), 1)
                        .local(region, slot.inAt(), Long.BYTES)
                        .id(id + slot.number)
                        .signaled()
                        .post();
            }
            case LAST -> throw new AssertionError("not by chance");
        }
    }

    private void last(Slot slot) {
        slot.isBusy = true;
        busy++;
        slot.kind = Slot.Kind.LAST;
        SendContent.putLast(region.segment(), slot.outAt(), letters, added);
        pair.sends()
                .send()
                .local(region, slot.outAt(), SendContent.LAST_LENGTH)
                .id(id + slot.number)
                .signaled()
                .post();
    }

    void completed(Completion done) {
        int number = (int) (done.id() - id);
        if (!done.isSuccess()) {
            if (!isDone && !isAnswered) {
                log.wrong(pair + ": " + done.status().explanation());
                isDone = true;
            }
        } else if (number == REPLY) {
            isAnswered = true;
            if (region.segment().get(Slot.LONG, REPLY_AT) != 1) {
                log.wrong(pair + ": the peer has counted otherwise");
            }
        } else {
            ended(slots[number]);
        }
    }

    private void ended(Slot slot) {
        slot.isBusy = false;
        busy--;
        log.messages++;
        switch (slot.kind) {
            case SEND -> log.bytes += slot.length;
            case WRITE_READ -> {
                log.bytes += 2 * slot.length;
                if (!Content.is(region.segment(), slot.inAt(), slot.length, slot.expected)) {
                    log.wrong(pair + ": " + slot.length + " bytes came back changed");
                }
            }
            case ADD -> {
                log.bytes += slot.length;
                long before = region.segment().get(Slot.LONG, slot.inAt());
                if (before != slot.expected) {
                    log.wrong(pair + ": counter " + before + ", not " + slot.expected);
                }
            }
            case LAST -> {}
        }
    }

    @Override
    public void close() {
        connection.close();
        pair.close();
        region.close();
    }
}
