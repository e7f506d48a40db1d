package dev.verbena.benchmarks.soak;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;

/// The passive side of a connection: memory to write, read and add to, and letters that must come
/// once each, in order, whole.
final class ServedConnection implements AutoCloseable {
    /// First what the peer writes and reads, then its counter, then what is received.
    private static final long COUNTER_AT = (long) SoakSettings.DEPTH * SoakSettings.LARGEST;

    private static final long RECEIVES_AT = COUNTER_AT + Long.BYTES;
    private static final long LENGTH =
            RECEIVES_AT + (long) SoakSettings.RECEIVES * SoakSettings.LARGEST;

    private final long id;
    private final ProgressLog log;
    private final MemoryRegion region;
    private final QueuePair pair;
    private final Connection connection;
    private long letters;

    ServedConnection(
            long id,
            ProgressLog log,
            ProtectionDomain domain,
            CompletionQueue completions,
            ConnectionRequest request) {
        this.id = id;
        this.log = log;
        region = domain.allocate(LENGTH, SoakSettings.RIGHTS.toArray(new Access[0]));
        pair =
                domain.queuePair(
                        QueuePairType.RC,
                        it ->
                                it.completions(completions)
                                        .access(SoakSettings.RIGHTS)
                                        .sendDepth(1)
                                        .receiveDepth(SoakSettings.RECEIVES));
        for (int slot = 0; slot < SoakSettings.RECEIVES; slot++) {
            receive(slot);
        }
        connection = request.accept(pair, region.remote().slice(0, RECEIVES_AT).toBytes());
        log.connections++;
    }

    boolean isOver() {
        return connection.state() == Connection.State.DISCONNECTED
                || connection.state() == Connection.State.FAILED;
    }

    private void receive(int slot) {
        pair.receives()
                .receive()
                .local(
                        region,
                        RECEIVES_AT + (long) slot * SoakSettings.LARGEST,
                        SoakSettings.LARGEST)
                .id(id + slot)
                .post();
    }

    /// A receive or our answer has ended.
    void completed(Completion done) {
        int slot = (int) (done.id() - id);
        if (!done.isSuccess()) {
            if (!isOver()) {
                log.wrong(pair + ": " + done.status().explanation());
            }
        } else if (slot < SoakSettings.RECEIVES) {
            took(slot, done.byteLength());
        } else {
            connection.disconnect(); // our answer has arrived
        }
    }

    private void took(int slot, long length) {
        long at = RECEIVES_AT + (long) slot * SoakSettings.LARGEST;
        log.bytes += length;
        log.messages++;
        if (SendContent.isLast(region.segment(), at)) {
            long counted = region.segment().get(Slot.LONG, COUNTER_AT);
            boolean isRight =
                    SendContent.letters(region.segment(), at) == letters
                            && SendContent.added(region.segment(), at) == counted;
            if (!isRight) {
                log.wrong(pair + ": " + letters + " letters came, counter " + counted);
            }
            region.segment().set(Slot.LONG, at, isRight ? 1 : 0);
            pair.sends()
                    .send()
                    .local(region, at, Long.BYTES)
                    .id(id + SoakSettings.RECEIVES)
                    .signaled()
                    .post();
        } else {
            if (!SendContent.is(region.segment(), at, length, letters)) {
                log.wrong(pair + ": letter " + letters + " of " + length + " bytes is another");
            }
            letters++;
            receive(slot);
        }
    }

    static long counterAt() {
        return COUNTER_AT;
    }

    @Override
    public void close() {
        connection.close();
        pair.close();
        region.close();
    }
}
