package dev.verbena.transport;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionStatus;

/// Reports finished work to the completion queues of a queue pair, and releases it.
final class WorkReporter {
    private final TransportQueuePair pair;
    private final Engine engine;
    private final TransportCompletionQueue sends;
    private final TransportCompletionQueue receives;
    private final boolean signalAll;

    /// A completion found no room: the queue pair must fail.
    private boolean hasLost;

    WorkReporter(
            TransportQueuePair pair,
            Engine engine,
            TransportCompletionQueue sends,
            TransportCompletionQueue receives,
            boolean signalAll) {
        this.pair = pair;
        this.engine = engine;
        this.sends = sends;
        this.receives = receives;
        this.signalAll = signalAll;
    }

    boolean uses(TransportCompletionQueue queue) {
        return queue == sends || queue == receives;
    }

    /// A completion of the queue pair was lost.
    void lose() {
        hasLost = true;
    }

    /// Whether a completion was lost since this was asked last.
    boolean takeLoss() {
        boolean lost = hasLost;
        hasLost = false;
        return lost;
    }

    /// A send request is over: reports it when it was asked to or when it failed, and lets go of
    /// it.
    void completeSend(int slot, CompletionStatus status) {
        reportSend(slot, status);
        engine.retire(slot);
    }

    /// Reports a send request that is over but still holds its memory.
    void reportSend(int slot, CompletionStatus status) {
        WorkSlab work = engine.work;
        if (work.has(slot, Work.PROBE)) {
            reportProbe(status);
            return;
        }
        if (status != CompletionStatus.SUCCESS || signalAll || work.has(slot, Work.SIGNALED)) {
            report(
                    sends,
                    work.id(slot),
                    status,
                    Work.completed(work.kind(slot)),
                    work.length(slot),
                    0,
                    status == CompletionStatus.RETRY_EXCEEDED ? lastError() : 0);
        }
    }

    /// The queue pair fails without a request of the program's that could say so.
    private void reportProbe(CompletionStatus status) {
        if (status != CompletionStatus.SUCCESS && status != CompletionStatus.FLUSHED) {
            engine.events.warn(
                    AsyncEvent.Type.QUEUE_PAIR_FATAL,
                    pair.number(),
                    ("%s failed: its peer (qp 0x%x) did not answer a keep-alive (%s), so it is gone"
                                    + " or does not allow REMOTE_WRITE")
                            .formatted(pair, pair.peer, status));
        }
    }

    /// Why packets to the peer do not leave this machine, where that is the trouble.
    private int lastError() {
        Path path = pair.path;
        return path == null ? 0 : engine.options.driver.lastError(path.address().gid());
    }

    void flushSend(int slot) {
        engine.counters.add(Counter.FLUSHED_SEND);
        completeSend(slot, CompletionStatus.FLUSHED);
    }

    /// A message was delivered into a receive request.
    void completeReceive(
            int slot, CompletedOperation operation, long length, int flags, int extra) {
        report(
                receives,
                engine.work.id(slot),
                CompletionStatus.SUCCESS,
                operation,
                length,
                flags,
                extra & 0xFFFF_FFFFL);
        forgetReceive(slot);
    }

    /// A datagram was delivered into a receive request.
    void completeDatagram(
            int slot, long length, int flags, int immediate, int from, InboundPacket packet) {
        long source = ((long) packet.serviceLevel() << 48) | ((long) packet.sourceLid() << 32);
        report(
                receives,
                engine.work.id(slot),
                CompletionStatus.SUCCESS,
                CompletedOperation.RECEIVE,
                length | ((long) from << TransportCompletionQueue.LENGTH_BITS),
                flags,
                source | (immediate & 0xFFFF_FFFFL));
        forgetReceive(slot);
    }

    void failReceive(int slot, CompletionStatus status) {
        long id = engine.work.id(slot);
        report(receives, id, status, CompletedOperation.RECEIVE, 0, 0, 0);
        forgetReceive(slot);
    }

    /// A receive request that was taken has ended, with or without a completion.
    void forgetReceive(int slot) {
        pair.receiveQueue().done();
        engine.retire(slot);
    }

    void flushReceive(int slot) {
        engine.counters.add(Counter.FLUSHED_RECEIVE);
        failReceive(slot, CompletionStatus.FLUSHED);
    }

    private void report(
            TransportCompletionQueue queue,
            long id,
            CompletionStatus status,
            CompletedOperation operation,
            long length,
            int flags,
            long extra) {
        boolean wasOverrun = queue.isOverrun();
        if (!queue.add(id, status, operation, pair.number(), length, flags, extra)) {
            engine.counters.add(Counter.COMPLETION_OVERRUN);
            if (!wasOverrun) {
                engine.events.warn(
                        AsyncEvent.Type.COMPLETION_QUEUE_ERROR,
                        queue.number(),
                        ("%s of %d ran over and lost a completion of %s, and all queue pairs that"
                                        + " use it failed; make it as large as all work that may"
                                        + " complete before it is polled")
                                .formatted(queue, queue.capacity(), pair));
                engine.pairs.failAll(queue, pair);
            }
            hasLost = true;
        }
    }
}
