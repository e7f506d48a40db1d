package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.ReceiveBatch;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The receiving half of an endpoint: posts receives ahead or late, or shares those of its host,
/// and checks what comes in.
final class Receiver {
    private final RcEndpoint endpoint;
    private final Choices choices;
    private final ReceivePool pool;
    private final @Nullable SharedPool shared;

    /// Receives of the shared queue that messages of this endpoint have taken, oldest first.
    private final ArrayDeque<Receive> held = new ArrayDeque<>();

    /// Messages of the peer's that were posted and have not come yet.
    final ArrayDeque<Message> expected = new ArrayDeque<>();

    private boolean waiting;
    private boolean failed;
    long received;

    /// The receive that is too small or whose memory goes away, or -1.
    long faultyReceive = -1;

    Receiver(RcEndpoint endpoint, @Nullable SharedPool shared, ReceivePool pool) {
        this.endpoint = endpoint;
        this.choices = endpoint.choices;
        this.shared = shared;
        this.pool = pool;
    }

    /// Posts receives up to the depth, or plans to do so later.
    void advance() {
        boolean idle = shared != null || waiting || pool.posted.size() >= pool.depth;
        if (idle || endpoint.isOver() || endpoint.withholdsReceives()) {
            return;
        }
        if (choices.chance(endpoint.lateReceives)) {
            waiting = true;
            Pair pair = endpoint.run.pair;
            pair.at(
                    pair.nowNs() + choices.between(1, endpoint.lateNs),
                    () -> {
                        waiting = false;
                        fill();
                    });
        } else if (pool.posted.size() <= pool.depth / 2) {
            fill();
        }
    }

    private void fill() {
        if (endpoint.isOver() || endpoint.withholdsReceives()) {
            return;
        }
        int more = pool.missing();
        if (more == 0) {
            return;
        }
        endpoint.require(endpoint.queuePair.receiveRoom() >= more, "no room for %d receives", more);
        ReceiveBatch batch = endpoint.queuePair.receives();
        for (int i = 0; i < more; i++) {
            if (pool.count() == faultyReceive && endpoint.hasFaultyReceive()) {
                endpoint.postFaultyReceive(batch, pool.nextId());
                pool.addForeign(0);
            } else {
                pool.add(batch);
            }
        }
        endpoint.require(batch.post(), "%d receives do not fit", more);
        endpoint.run.progress();
    }

    /// A message of the peer's has taken the oldest receive of the shared queue.
    void take(SharedPool from) {
        endpoint.require(from == shared, "it takes receives that are not its own");
        held.add(from.take());
    }

    void complete(Completion completion) {
        ArrayDeque<Receive> queue = shared == null ? pool.posted : held;
        Receive receive = queue.poll();
        if (receive == null || receive.id() != completion.id()) {
            throw endpoint.failure("receive 0x%x came instead of %s", completion.id(), receive);
        }
        if (completion.isSuccess()) {
            endpoint.require(!failed, "receive %s succeeded after a failure", receive);
            check(receive, completion);
        } else {
            fail(receive, completion.status());
        }
    }

    private void fail(Receive receive, CompletionStatus status) {
        if (status != CompletionStatus.FLUSHED) {
            endpoint.require(
                    !failed && endpoint.mayFailReceive(received, status),
                    "receive %s failed with %s",
                    receive,
                    status);
        } else {
            endpoint.require(endpoint.mayFlush(), "a receive was flushed without a cause");
        }
        pool.wipe(receive);
        failed = true;
        endpoint.broken = true;
    }

    private void check(Receive receive, Completion completion) {
        Message message = expected.poll();
        if (message == null) {
            throw endpoint.failure("a message arrived that was not sent");
        }
        received++;
        boolean write = message.kind == Message.Kind.WRITE_IMMEDIATE;
        endpoint.require(
                completion.operation()
                        == (write
                                ? CompletedOperation.RECEIVE_WRITE_IMMEDIATE
                                : CompletedOperation.RECEIVE),
                "%s came as %s",
                message,
                completion.operation());
        endpoint.require(
                completion.byteLength() == message.length,
                "%s came with %d bytes",
                message,
                completion.byteLength());
        boolean immediate = write || message.kind == Message.Kind.SEND_IMMEDIATE;
        endpoint.require(
                completion.hasImmediate() == immediate
                        && completion.immediate() == (immediate ? message.immediate : 0),
                "%s came with immediate %s",
                message,
                completion.immediate());
        boolean invalidated = message.kind == Message.Kind.SEND_INVALIDATE;
        endpoint.require(
                completion.hasInvalidatedKey() == invalidated
                        && completion.invalidatedKey() == (invalidated ? message.key : 0),
                "%s came with invalidated key 0x%x",
                message,
                completion.invalidatedKey());
        endpoint.require(
                completion.isSolicited() == message.solicited,
                "%s came with solicited %s",
                message,
                completion.isSolicited());
        if (invalidated) {
            endpoint.invalidated(message);
        }
        int bytes = write || message.phantom ? 0 : message.length;
        if (bytes > 0) {
            endpoint.require(
                    pool.holds(receive, 0, message, endpoint.peer().host.source),
                    "%s came with other bytes in %s",
                    message,
                    receive);
        }
        endpoint.require(pool.empty(receive, bytes), "%s wrote behind its end", message);
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
        endpoint.require(held.isEmpty(), "%d messages never ended", held.size());
        if (shared != null) {
            endpoint.require(!healthy || expected.isEmpty(), "%d never came", expected.size());
            return;
        }
        endpoint.require(pool.posted.isEmpty(), "%d receives never ended", pool.posted.size());
        if (healthy) {
            endpoint.require(expected.isEmpty(), "%d messages never came", expected.size());
            endpoint.require(pool.isEmpty(), "memory was written where nothing was received");
        }
    }
}
