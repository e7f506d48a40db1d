package dev.verbena.transport.datagram;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.pair.InboundMessage;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.pair.ReceiveSide;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Operation;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Psn;
import dev.verbena.wire.Verdict;

/// Receives the messages of an unreliable connection (IBA 9.8.3): complete messages are delivered,
/// broken ones are dropped, and nothing is answered.
///
/// Sequence numbers only show that a packet is missing; the start of a message is accepted with any
/// number.
final class UnreliableReceiver implements ReceiveSide {
    private final QueuePairCore pair;
    private final UnreliableService service;
    private final InboundMessage message;
    private int expectedPsn;

    /// The rest of a message that was given up is passed over.
    private boolean isSkipping;

    UnreliableReceiver(QueuePairCore pair, UnreliableService service) {
        this.pair = pair;
        this.service = service;
        this.message = new InboundMessage(pair, service.holds);
    }

    @Override
    public void reset() {
        message.abandon(false);
        isSkipping = false;
    }

    @Override
    public long placed() {
        return message.placed();
    }

    @Override
    public void startAt(int psn) {
        expectedPsn = psn;
    }

    @Override
    public void handle(long nowNs, InboundPacket packet) {
        PacketView view = packet.view();
        Operation operation = view.opcode().operation();
        if (packet.verdict() != Verdict.OK || !(operation.isSend() || operation.isWrite())) {
            service.counters.add(Counter.REFUSED_FORM);
            return;
        }
        boolean isNext = view.psn() == expectedPsn;
        expectedPsn = Psn.plus(view.psn(), 1);
        if (!isNext) {
            service.counters.add(Counter.OUT_OF_SEQUENCE);
        }
        if (operation.startsMessage()) {
            // The end of the message before it was lost.
            giveUpOpen();
            isSkipping = false;
        } else if (isSkipping) {
            isSkipping = !operation.endsMessage();
            service.counters.add(Counter.SKIPPED_PACKET);
            return;
        } else if (!isNext || !message.expects(operation)) {
            if (isNext) {
                service.counters.add(Counter.REFUSED_ORDER);
            }
            giveUpOpen();
            isSkipping = !operation.endsMessage();
            return;
        }
        int outcome =
                operation.isSend() ? message.send(operation, view) : message.write(operation, view);
        if (outcome != InboundMessage.DONE) {
            if (outcome == InboundMessage.NOT_READY) {
                service.counters.add(Counter.DROPPED_NO_RECEIVE);
            }
            if (outcome == AethSyndrome.NAK_REMOTE_OPERATION && operation.isSend()) {
                // The memory of a receive request went away: a fault of this side.
                pair.fail();
                return;
            }
            message.giveUp();
            isSkipping = !operation.endsMessage();
        }
    }

    private void giveUpOpen() {
        if (message.isOpen()) {
            service.counters.add(Counter.BROKEN_MESSAGE);
            message.giveUp();
        }
    }

    @Override
    public void flushMessage() {
        message.abandon(true);
    }
}
