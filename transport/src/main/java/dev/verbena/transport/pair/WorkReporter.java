package dev.verbena.transport.pair;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.work.TransportCompletionQueue;
import dev.verbena.transport.work.Work;
import dev.verbena.transport.work.WorkHolds;
import dev.verbena.transport.work.WorkQueue;
import dev.verbena.transport.work.WorkSlab;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionStatus;

/// Reports finished work to the completion queues of a queue pair, and releases it.
public final class WorkReporter {
    private final QueuePairCore pair;
    private final WorkHolds holds;
    private final TransportCompletionQueue sends;
    private final TransportCompletionQueue receives;
    private final boolean signalAll;

    /// A completion found no room: the queue pair must fail.
    private boolean hasLost;

    public WorkReporter(
            QueuePairCore pair,
            WorkHolds holds,
            TransportCompletionQueue sends,
            TransportCompletionQueue receives,
            boolean signalAll) {
        this.pair = pair;
        this.holds = holds;
        this.sends = sends;
        this.receives = receives;
        this.signalAll = signalAll;
    }

    public boolean uses(TransportCompletionQueue queue) {
        return queue == sends || queue == receives;
    }

    /// A completion of the queue pair was lost.
    public void lose() {
        hasLost = true;
    }

    /// Whether a completion was lost since this was asked last.
    public boolean takeLoss() {
        boolean lost = hasLost;
        hasLost = false;
        return lost;
    }

    /// A send request is over: reports it when it was asked to or when it failed, and lets go of
    /// it.
    public void completeSend(int slot, CompletionStatus status) {
        reportSend(slot, status);
        holds.retire(slot);
    }

    /// Reports a send request that is over but still holds its memory.
    public void reportSend(int slot, CompletionStatus status) {
        WorkSlab work = holds.work;
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
                    status == CompletionStatus.RETRY_EXCEEDED ? pair.lastError() : 0);
        }
    }

    /// The queue pair fails without a request of the program's that could say so.
    private void reportProbe(CompletionStatus status) {
        if (status != CompletionStatus.SUCCESS && status != CompletionStatus.FLUSHED) {
            pair.warn(
                    AsyncEvent.Type.QUEUE_PAIR_FATAL,
                    ("%s failed: its peer (qp 0x%x) did not answer a keep-alive (%s), so it is gone"
                                    + " or does not allow REMOTE_WRITE")
                            .formatted(pair, pair.settings().peer(), status));
        }
    }

    /// Gives up all requests of a send queue; each completes as flushed when `report` is set.
    public void flushSends(WorkQueue queue, boolean report) {
        while (queue.count() > 0) {
            int slot = queue.remove();
            if (report) {
                flushSend(slot);
            } else {
                holds.retire(slot);
            }
        }
    }

    private void flushSend(int slot) {
        holds.counters.add(Counter.FLUSHED_SEND);
        completeSend(slot, CompletionStatus.FLUSHED);
    }

    /// A message was delivered into a receive request.
    void completeReceive(
            int slot, CompletedOperation operation, long length, int flags, int extra) {
        report(
                receives,
                holds.work.id(slot),
                CompletionStatus.SUCCESS,
                operation,
                length,
                flags,
                extra & 0xFFFF_FFFFL);
        forgetReceive(slot);
    }

    /// A datagram was delivered into a receive request.
    public void completeDatagram(
            int slot, long length, int flags, int immediate, int from, InboundPacket packet) {
        long source = ((long) packet.serviceLevel() << 48) | ((long) packet.sourceLid() << 32);
        report(
                receives,
                holds.work.id(slot),
                CompletionStatus.SUCCESS,
                CompletedOperation.RECEIVE,
                length | ((long) from << TransportCompletionQueue.LENGTH_BITS),
                flags,
                source | (immediate & 0xFFFF_FFFFL));
        forgetReceive(slot);
    }

    public void failReceive(int slot, CompletionStatus status) {
        long id = holds.work.id(slot);
        report(receives, id, status, CompletedOperation.RECEIVE, 0, 0, 0);
        forgetReceive(slot);
    }

    /// A receive request that was taken has ended, with or without a completion.
    public void forgetReceive(int slot) {
        pair.receiveQueue().done();
        holds.retire(slot);
    }

    public void flushReceive(int slot) {
        holds.counters.add(Counter.FLUSHED_RECEIVE);
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
            holds.counters.add(Counter.COMPLETION_OVERRUN);
            if (!wasOverrun) {
                queue.warnOfOverrun(pair);
                pair.failOthers(queue);
            }
            hasLost = true;
        }
    }
}
