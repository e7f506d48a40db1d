package dev.verbena.cli;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.wire.BigEndian;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

/// One side of the protocol of librdmacm's `rping`: the client sends the address of its data, the
/// server READs it, receives the address of a second buffer, and WRITEs the data there.
///
/// A message is 16 bytes: an address, a key and a length, big-endian.
final class RpingRun {
    private static final int MESSAGE = 16;
    private static final int SENT = 1;
    private static final int RECEIVED = 2;
    private static final int MOVED = 3;
    private static final char FIRST = 'A';
    private static final char LAST = 'z';
    private static final Duration SHORT = Duration.ofMillis(50);

    private final Duration limit;
    private final CompletionQueue completions;
    private final MemoryRegion messages; // the one to send, then the one received
    private final MemoryRegion data;
    private final MemoryRegion sink;
    private final QueuePair pair;
    private final int bytes;
    private int received;
    private int moved;
    private int taken;

    RpingRun(Device device, int bytes, Duration limit) {
        this.bytes = bytes;
        this.limit = limit;
        completions = device.completionQueue(16);
        ProtectionDomain domain = device.protectionDomain();
        messages = domain.allocate(2 * MESSAGE, Access.LOCAL_WRITE);
        data = domain.allocate(bytes, Access.LOCAL_WRITE, Access.REMOTE_READ);
        sink = domain.allocate(bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        pair = domain.queuePair(QueuePairType.RC, it -> it.completions(completions));
        receive();
    }

    QueuePair pair() {
        return pair;
    }

    private void receive() {
        pair.receives().receive().local(messages, MESSAGE, MESSAGE).id(RECEIVED).post();
    }

    /// The client's rounds.
    void ask(int rounds, boolean isChecked, Consumer<String> shown) {
        for (int round = 0; round < rounds; round++) {
            fill(round);
            tell(data);
            awaitMessage();
            receive();
            tell(sink);
            awaitMessage();
            receive();
            if (isChecked && data.segment().mismatch(sink.segment()) >= 0) {
                throw new PerfException(
                        "qp 0x%x: round %d returned other data, from byte %d on"
                                .formatted(
                                        pair.number(),
                                        round,
                                        data.segment().mismatch(sink.segment())));
            }
            shown.accept(text(sink.segment()));
        }
    }

    /// The data of `rping`: a title, then letters that start one further on in each round.
    private void fill(int round) {
        String title = "rdma-ping-" + round + ": ";
        MemorySegment to = data.segment();
        int letters = LAST - FIRST + 1;
        for (int i = 0; i < bytes - 1; i++) {
            int letter = FIRST + (round + i - Math.min(i, title.length())) % letters;
            BigEndian.put8(to, i, i < title.length() ? title.charAt(i) : letter);
        }
        BigEndian.put8(to, bytes - 1, 0);
    }

    private void tell(MemoryRegion region) {
        RemoteSlice remote = region.remote();
        BigEndian.put64(messages.segment(), 0, remote.address());
        BigEndian.put32(messages.segment(), 8, remote.key());
        BigEndian.put32(messages.segment(), 12, bytes);
        sendMessage();
    }

    private void sendMessage() {
        pair.sends().send().local(messages, 0, MESSAGE).id(SENT).signaled().post();
    }

    /// The server's rounds, until the client leaves; returns how many.
    int serve(Connection connection, Consumer<String> shown) {
        int rounds = 0;
        while (isNext(connection)) {
            RemoteSlice source = told();
            pair.sends().read(data.slice(0, source.length()), source).id(MOVED).signaled().post();
            awaitMove();
            String text = text(data.segment());
            shown.accept(text);
            sendMessage();
            awaitMessage();
            // As far as the text goes, as rping does.
            long length = Math.min(bytes, text.length() + 1L);
            RemoteSlice target = told().slice(0, length);
            pair.sends().write(data.slice(0, length), target).id(MOVED).signaled().post();
            awaitMove();
            sendMessage();
            rounds++;
        }
        return rounds;
    }

    /// Waits for the first message of a round; false when the client has left.
    private boolean isNext(Connection connection) {
        long endNs = System.nanoTime() + limit.toNanos();
        while (received == taken && connection.state() == Connection.State.ESTABLISHED) {
            completions.await(SHORT, this::take);
            if (System.nanoTime() > endNs) {
                throw silent();
            }
        }
        if (received > taken) {
            taken++;
            return true;
        }
        return false;
    }

    private RemoteSlice told() {
        MemorySegment message = messages.segment();
        long address = BigEndian.i64(message, MESSAGE);
        int key = BigEndian.i32(message, MESSAGE + 8L);
        long length = BigEndian.u32(message, MESSAGE + 12L);
        receive();
        if (length > bytes) {
            throw new PerfException(
                    "qp 0x%x: the client has %d bytes, and this side %d; use the same -S"
                            .formatted(pair.number(), length, bytes));
        }
        return new RemoteSlice(address, length, key);
    }

    private void awaitMessage() {
        while (received == taken) {
            if (completions.await(limit, this::take) == 0) {
                throw silent();
            }
        }
        taken++;
    }

    private void awaitMove() {
        int before = moved;
        while (moved == before) {
            if (completions.await(limit, this::take) == 0) {
                throw silent();
            }
        }
    }

    private PerfException silent() {
        return new PerfException(
                "qp 0x%x: no message from the peer within %d s; check its output"
                        .formatted(pair.number(), limit.toSeconds()));
    }

    private void take(Completion done) {
        if (!done.isSuccess() && pair.state() == QueuePairState.ERROR) {
            // The peer has disconnected: posted requests are flushed.
            return;
        }
        PerfEnd.requireSuccess(done);
        if (done.id() == RECEIVED) {
            received++;
        } else if (done.id() == MOVED) {
            moved++;
        }
    }

    private static String text(MemorySegment segment) {
        return segment.getString(0, StandardCharsets.US_ASCII);
    }
}
