package dev.verbena.transport;

import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.ReceiveBatch;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Objects;

/// The receive queue of a lane: posts receives ahead or late, and checks what comes in.
final class Receiver {
    /// What fills memory that nothing was received into.
    static final byte EMPTY = (byte) 0xEE;

    private static final int GAP = 8;
    private static final MemorySegment EMPTY_BYTES = Ground.filled(64 << 10, EMPTY);

    /// One posted receive: one piece of memory, or two with a gap between.
    private record Receive(long id, int at, int first, int second) {
        int capacity() {
            return first + second;
        }
    }

    private final Lane lane;
    private final int depth;
    private final int slotBytes;
    private final MemorySegment memory;
    private final ArrayDeque<Receive> posted = new ArrayDeque<>();

    /// Messages of the peer's that were posted and have not come yet.
    final ArrayDeque<Message> expected = new ArrayDeque<>();

    private long count;
    private boolean waiting;
    private boolean failed;
    long received;

    /// The receive that is too small or whose memory goes away, or -1.
    long faultyReceive = -1;

    Receiver(Lane lane, int depth, int longest, MemorySegment memory) {
        this.lane = lane;
        this.depth = depth;
        this.memory = memory;
        slotBytes = slotBytes(longest);
        memory.fill(EMPTY);
    }

    static int slotBytes(int longest) {
        return (longest + 3 * GAP + 7) & -8;
    }

    boolean hasPosted() {
        return !posted.isEmpty();
    }

    /// Posts receives up to the depth, or plans to do so later.
    void advance() {
        if (waiting || posted.size() >= depth || lane.isOver() || lane.withholdsReceives()) {
            return;
        }
        if (lane.choices.chance(lane.lateReceives)) {
            waiting = true;
            Pair pair = lane.run.pair;
            pair.at(
                    pair.nowNs() + lane.choices.between(1, lane.lateNs),
                    () -> {
                        waiting = false;
                        fill();
                    });
        } else if (posted.size() <= depth / 2) {
            fill();
        }
    }

    private void fill() {
        if (lane.isOver() || lane.withholdsReceives()) {
            return;
        }
        int more = depth - posted.size();
        if (more == 0) {
            return;
        }
        lane.require(lane.queuePair.receiveRoom() >= more, "no room for %d receives", more);
        ReceiveBatch batch = lane.queuePair.receives();
        for (int i = 0; i < more; i++) {
            add(batch);
        }
        lane.require(batch.post(), "%d receives do not fit", more);
        lane.run.progress();
    }

    private void add(ReceiveBatch batch) {
        long id = lane.receiveId(count);
        int at = (int) (count % depth) * slotBytes;
        int capacity = slotBytes - 2 * GAP;
        if (count == faultyReceive && lane.hasFaultyReceive()) {
            lane.postFaultyReceive(batch, id);
            posted.add(new Receive(id, at, 0, 0));
            count++;
            return;
        }
        boolean split = lane.choices.chance(0.2);
        int first = split ? lane.choices.between(0, capacity) : capacity;
        Receive receive = new Receive(id, at, first, capacity - first);
        batch.receive().local(lane.receiveRegion, at, first).id(id);
        if (split) {
            batch.local(lane.receiveRegion, at + first + GAP, capacity - first);
        }
        posted.add(receive);
        count++;
    }

    void complete(Completion completion) {
        lane.require(!posted.isEmpty(), "receive %d, but none is posted", completion.id());
        Receive receive = Objects.requireNonNull(posted.poll());
        lane.require(
                receive.id == completion.id(),
                "receive %d came, %d is the oldest",
                completion.id(),
                receive.id);
        if (completion.isSuccess()) {
            lane.require(!failed, "receive %d succeeded after a failure", receive.id);
            check(receive, completion);
        } else {
            fail(receive, completion.status());
        }
    }

    private void fail(Receive receive, CompletionStatus status) {
        if (status != CompletionStatus.FLUSHED) {
            long index = receive.id - lane.receiveId(0);
            lane.require(
                    !failed && lane.mayFailReceive(index, status),
                    "receive %d failed with %s",
                    index,
                    status);
        } else {
            lane.require(lane.mayFlush(), "a receive was flushed without a cause");
        }
        failed = true;
        lane.broken = true;
    }

    private void check(Receive receive, Completion completion) {
        Message message = expected.poll();
        if (message == null) {
            throw lane.failure("a message came that nobody sent");
        }
        received++;
        boolean write = message.kind == Message.Kind.WRITE_IMMEDIATE;
        lane.require(
                completion.operation()
                        == (write
                                ? CompletedOperation.RECEIVE_WRITE_IMMEDIATE
                                : CompletedOperation.RECEIVE),
                "%s came as %s",
                message,
                completion.operation());
        lane.require(
                completion.byteLength() == message.length,
                "%s came with %d bytes",
                message,
                completion.byteLength());
        boolean immediate = write || message.kind == Message.Kind.SEND_IMMEDIATE;
        lane.require(
                completion.hasImmediate() == immediate
                        && completion.immediate() == (immediate ? message.immediate : 0),
                "%s came with immediate %s",
                message,
                completion.immediate());
        boolean invalidated = message.kind == Message.Kind.SEND_INVALIDATE;
        lane.require(
                completion.hasInvalidatedKey() == invalidated
                        && completion.invalidatedKey() == (invalidated ? message.key : 0),
                "%s came with invalidated key 0x%x",
                message,
                completion.invalidatedKey());
        lane.require(
                completion.isSolicited() == message.solicited,
                "%s came with solicited %s",
                message,
                completion.isSolicited());
        if (invalidated) {
            lane.renewForPeer();
        }
        if (!write) {
            checkBytes(receive, message);
        }
    }

    /// Compares piece by piece, and empties the memory again.
    private void checkBytes(Receive receive, Message message) {
        lane.require(message.length <= receive.capacity(), "%s fits no receive", message);
        MemorySegment source = lane.peer().host.source;
        int at = receive.at;
        int left = receive.first;
        boolean second = false;
        for (int i = 0; i < message.pieces; i++) {
            int done = 0;
            while (done < message.lengths[i]) {
                if (left == 0) {
                    lane.require(!second, "%s is longer than its receive", message);
                    at += GAP;
                    left = receive.second;
                    second = true;
                    continue;
                }
                int bytes = Math.min(left, message.lengths[i] - done);
                lane.require(
                        Message.same(memory, at, source, message.at[i] + done, bytes),
                        "%s came with other bytes",
                        message);
                MemorySegment.copy(EMPTY_BYTES, 0, memory, at, bytes);
                at += bytes;
                left -= bytes;
                done += bytes;
            }
        }
        lane.require(
                Message.same(memory, at, EMPTY_BYTES, 0, Math.min(GAP, left)),
                "%s wrote behind its end",
                message);
    }

    /// The queue pair is gone: nothing posted will ever be reported.
    void abandon() {
        posted.clear();
        failed = true;
    }

    /// After the end: nothing is left in the memory, and every receive was reported.
    void checkEnd(boolean healthy) {
        lane.require(posted.isEmpty(), "%d receives were never reported", posted.size());
        if (!healthy) {
            return;
        }
        lane.require(expected.isEmpty(), "%d messages never came", expected.size());
        for (long at = 0; at < memory.byteSize(); at += EMPTY_BYTES.byteSize()) {
            int bytes = (int) Math.min(EMPTY_BYTES.byteSize(), memory.byteSize() - at);
            lane.require(
                    Message.same(memory, at, EMPTY_BYTES, 0, bytes),
                    "receive memory was written where nothing was received");
        }
    }
}
