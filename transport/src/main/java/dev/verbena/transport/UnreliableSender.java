package dev.verbena.transport;

import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Psn;

/// Sends for unreliable services: a request is done when its last packet has left (IBA 9.8.2, 9.9).
///
/// So there is never more than one request under way, the oldest, and nothing to remember of those
/// before it.
final class UnreliableSender implements SendSide {
    private final TransportQueuePair pair;
    private final Engine engine;
    private final WorkSlab work;
    private final WorkQueue queue;

    /// Which packet of the oldest request is next.
    private int packet;

    private int psn;
    private boolean wasDrained;

    UnreliableSender(TransportQueuePair pair, Engine engine, WorkQueue queue) {
        this.pair = pair;
        this.engine = engine;
        this.work = engine.work;
        this.queue = queue;
    }

    @Override
    public void reset() {
        packet = 0;
        wasDrained = false;
    }

    @Override
    public void startAt(int first) {
        psn = first;
    }

    @Override
    public void posted(int first) {
        if (queue.head() == first) {
            chooseLane();
        }
    }

    @Override
    public boolean hasWork() {
        return queue.count() > 0;
    }

    @Override
    public int transmit(long nowNs, int budgetBytes, TransmitSink sink) {
        if (!isReady(nowNs)) {
            return TransportQueuePair.NOTHING;
        }
        int slot = queue.head();
        RequestWriter writer = engine.requestWriter;
        int length = writer.choose(pair, slot, packet);
        if (length > budgetBytes) {
            return TransportQueuePair.TOO_LARGE;
        }
        OutboundPacket out = sink.next();
        if (!writer.write(out, pair, psn, false)) {
            engine.counters.add(Counter.LOCAL_PROTECTION);
            failOldest(CompletionStatus.LOCAL_PROTECTION_ERROR);
            return TransportQueuePair.NOTHING;
        }
        psn = Psn.plus(psn, 1);
        pair.paced(nowNs, length);
        boolean isLast = writer.isLast();
        if (isLast) {
            // Out of the queue before the packet leaves: it may come back to this device at once.
            queue.remove();
            packet = 0;
            chooseLane();
            // First, so that nothing behind it can be reported before it.
            pair.reporter.reportSend(slot, CompletionStatus.SUCCESS);
        } else {
            packet++;
        }
        Packets.finish(engine, sink, out);
        if (isLast) {
            engine.retire(slot);
            checkDrained();
        }
        return length;
    }

    /// Whether the next packet may go now. Runs requests that need no packet.
    private boolean isReady(long nowNs) {
        while (queue.count() > 0 && pair.sendsRequests()) {
            if (packet == 0 && pair.state() == QueuePairState.SEND_QUEUE_DRAINED) {
                engine.counters.add(Counter.DRAIN_HOLD);
                return false;
            }
            if (!Work.isLocal(work.kind(queue.head()))) {
                return pair.isPaced(nowNs);
            }
            CompletionStatus status = engine.local.carryOut(pair, queue.head());
            if (status == CompletionStatus.SUCCESS) {
                pair.reporter.completeSend(queue.remove(), status);
                chooseLane();
            } else {
                failOldest(status);
            }
        }
        return false;
    }

    /// Every datagram has a way of its own, and with it a traffic class.
    private void chooseLane() {
        if (pair.type() == QueuePairType.UD && queue.count() > 0) {
            int way = RequestWriter.wayOf(work, queue.head());
            pair.lane(engine.paths.at(way).trafficClass());
        }
    }

    @Override
    public void drain(boolean isFirstTime) {
        if (isFirstTime) {
            wasDrained = false;
        }
        checkDrained();
    }

    private void checkDrained() {
        if (pair.state() == QueuePairState.SEND_QUEUE_DRAINED && !wasDrained && packet == 0) {
            wasDrained = true;
            pair.drained();
        }
    }

    @Override
    public void receiverMayBeReady() {
        throw new AssertionError("unreliable services have no RNR response");
    }

    @Override
    public void timedOut(long nowNs) {
        throw new AssertionError("no answer is waited for");
    }

    /// IBA 10.3.1.6: the send queue stops; incoming messages are still received.
    @Override
    public void failOldest(CompletionStatus status) {
        pair.reporter.completeSend(queue.remove(), status);
        pair.failSends();
    }

    @Override
    public void flush(boolean report) {
        packet = 0;
        while (queue.count() > 0) {
            int slot = queue.remove();
            if (report) {
                pair.reporter.flushSend(slot);
            } else {
                engine.retire(slot);
            }
        }
    }
}
