package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.ReceiveBatch;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The receiving half of a lane: posts receives ahead or late, or shares those of its host, and
/// checks what comes in.
final class Receiver {
    private final Lane lane;
    private final Choices choices;
    private final ReceivePool pool;
    private final @Nullable SharedPool shared;

    /// Receives of the shared queue that messages of this lane have taken, oldest first.
    private final ArrayDeque<Receive> held = new ArrayDeque<>();

    /// Messages of the peer's that were posted and have not come yet.
    final ArrayDeque<Message> expected = new ArrayDeque<>();

    private boolean waiting;
    private boolean failed;
    long received;

    /// The receive that is too small or whose memory goes away, or -1.
    long faultyReceive = -1;

    Receiver(Lane lane, @Nullable SharedPool shared, ReceivePool pool) {
        this.lane = lane;
        this.choices = lane.choices;
        this.shared = shared;
        this.pool = pool;
    }

    /// Posts receives up to the depth, or plans to do so later.
    void advance() {
        boolean idle = shared != null || waiting || pool.posted.size() >= pool.depth;
        if (idle || lane.isOver() || lane.withholdsReceives()) {
            return;
        }
        if (choices.chance(lane.lateReceives)) {
            waiting = true;
            Pair pair = lane.run.pair;
            pair.at(
                    pair.nowNs() + choices.between(1, lane.lateNs),
                    () -> {
                        waiting = false;
                        fill();
                    });
        } else if (pool.posted.size() <= pool.depth / 2) {
            fill();
        }
    }

    private void fill() {
        if (lane.isOver() || lane.withholdsReceives()) {
            return;
        }
        int more = pool.missing();
        if (more == 0) {
            return;
        }
        lane.require(lane.queuePair.receiveRoom() >= more, "no room for %d receives", more);
        ReceiveBatch batch = lane.queuePair.receives();
        for (int i = 0; i < more; i++) {
            if (pool.count() == faultyReceive && lane.hasFaultyReceive()) {
                lane.postFaultyReceive(batch, pool.nextId());
                pool.addForeign(0);
            } else {
                pool.add(batch);
            }
        }
        lane.require(batch.post(), "%d receives do not fit", more);
        lane.run.progress();
    }

    /// A message of the peer's has taken the oldest receive of the shared queue.
    void take(SharedPool from) {
        lane.require(from == shared, "it takes receives that are not its own");
        held.add(from.take());
    }

    void complete(Completion completion) {
        ArrayDeque<Receive> queue = shared == null ? pool.posted : held;
        Receive receive = queue.poll();
        if (receive == null || receive.id() != completion.id()) {
            throw lane.failure("receive 0x%x came instead of %s", completion.id(), receive);
        }
        if (completion.isSuccess()) {
            lane.require(!failed, "receive %s succeeded after a failure", receive);
            check(receive, completion);
        } else {
            fail(receive, completion.status());
        }
    }

    private void fail(Receive receive, CompletionStatus status) {
        if (status != CompletionStatus.FLUSHED) {
            lane.require(
                    !failed && lane.mayFailReceive(received, status),
                    "receive %s failed with %s",
                    receive,
                    status);
        } else {
            lane.require(lane.mayFlush(), "a receive was flushed without a cause");
        }
        pool.wipe(receive);
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
            lane.invalidated(message);
        }
        int bytes = write || message.phantom ? 0 : message.length;
        if (bytes > 0) {
            lane.require(
                    pool.holds(receive, 0, message, lane.peer().host.source),
                    "%s came with other bytes in %s",
                    message,
                    receive);
        }
        lane.require(pool.empty(receive, bytes), "%s wrote behind its end", message);
    }

    /// The queue pair is gone: nothing posted will ever be reported.
    void abandon() {
        pool.posted.removeIf(_ -> shared == null);
        held.forEach(pool::wipe);
        held.clear();
        failed = true;
    }

    /// After the end: nothing is left in the memory, and every receive was reported.
    void checkEnd(boolean healthy) {
        lane.require(held.isEmpty(), "%d messages never ended", held.size());
        if (shared != null) {
            lane.require(!healthy || expected.isEmpty(), "%d never came", expected.size());
            return;
        }
        lane.require(pool.posted.isEmpty(), "%d receives never ended", pool.posted.size());
        if (healthy) {
            lane.require(expected.isEmpty(), "%d messages never came", expected.size());
            lane.require(pool.isEmpty(), "memory was written where nothing was received");
        }
    }
}
