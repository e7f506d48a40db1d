package dev.verbena.transport.datagram;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.pair.Packets;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.pair.RequestWriter;
import dev.verbena.transport.pair.SendSide;
import dev.verbena.transport.schedule.Transmitter;
import dev.verbena.transport.work.Work;
import dev.verbena.transport.work.WorkQueue;
import dev.verbena.transport.work.WorkSlab;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Psn;

/// Sends for unreliable services: a request is done when its last packet has left (IBA 9.8.2, 9.9).
///
/// So there is never more than one request under way, the oldest, and nothing to remember of those
/// before it.
final class UnreliableSender implements SendSide {
    private final QueuePairCore pair;
    private final UnreliableService service;
    private final WorkSlab work;
    private final WorkQueue queue;

    /// Which packet of the oldest request is next.
    private int packet;

    private int psn;

    UnreliableSender(QueuePairCore pair, UnreliableService service, WorkQueue queue) {
        this.pair = pair;
        this.service = service;
        this.work = service.holds.work;
        this.queue = queue;
    }

    @Override
    public void reset() {
        packet = 0;
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
            return Transmitter.NOTHING;
        }
        int slot = queue.head();
        RequestWriter writer = service.requestWriter;
        int length = writer.choose(pair, slot, packet);
        if (length > budgetBytes) {
            return Transmitter.TOO_LARGE;
        }
        OutboundPacket out = sink.next();
        if (!writer.write(out, pair, psn, false)) {
            service.counters.add(Counter.LOCAL_PROTECTION);
            failOldest(CompletionStatus.LOCAL_PROTECTION_ERROR);
            return Transmitter.NOTHING;
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
            pair.reporter().reportSend(slot, CompletionStatus.SUCCESS);
        } else {
            packet++;
        }
        Packets.finish(service.counters, sink, out);
        if (isLast) {
            service.holds.retire(slot);
            pair.checkDrained(packet == 0);
        }
        return length;
    }

    /// Whether the next packet may go now. Runs requests that need no packet.
    private boolean isReady(long nowNs) {
        while (queue.count() > 0 && pair.sendsRequests()) {
            if (packet == 0 && pair.state() == QueuePairState.SEND_QUEUE_DRAINED) {
                service.counters.add(Counter.DRAIN_HOLD);
                return false;
            }
            if (!Work.isLocal(work.kind(queue.head()))) {
                return pair.isSeen(nowNs) && pair.isPaced(nowNs);
            }
            CompletionStatus status = service.holds.carryOut(pair, queue.head());
            if (status == CompletionStatus.SUCCESS) {
                pair.reporter().completeSend(queue.remove(), status);
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
            int way = work.path(queue.head());
            pair.lane(service.holds.paths.at(way).trafficClass());
        }
    }

    @Override
    public void drain() {
        pair.checkDrained(packet == 0);
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
        pair.reporter().completeSend(queue.remove(), status);
        pair.failSends();
    }

    @Override
    public void flush(boolean report) {
        packet = 0;
        pair.reporter().flushSends(queue, report);
    }
}
