package dev.verbena.transport;

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
    private final TransportQueuePair pair;
    private final Engine engine;
    private final InboundMessage message;
    private int expectedPsn;

    /// The rest of a message that was given up is passed over.
    private boolean isSkipping;

    UnreliableReceiver(TransportQueuePair pair, Engine engine) {
        this.pair = pair;
        this.engine = engine;
        this.message = new InboundMessage(pair, engine);
    }

    @Override
    public void reset() {
        message.abandon(false);
        isSkipping = false;
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
            engine.counters.add(Counter.REFUSED_FORM);
            return;
        }
        boolean isNext = view.psn() == expectedPsn;
        expectedPsn = Psn.plus(view.psn(), 1);
        if (!isNext) {
            engine.counters.add(Counter.OUT_OF_SEQUENCE);
        }
        if (operation.startsMessage()) {
            // The end of the message before it was lost.
            giveUpOpen();
            isSkipping = false;
        } else if (isSkipping) {
            isSkipping = !operation.endsMessage();
            engine.counters.add(Counter.SKIPPED_PACKET);
            return;
        } else if (!isNext || !message.expects(operation)) {
            if (isNext) {
                engine.counters.add(Counter.REFUSED_ORDER);
            }
            giveUpOpen();
            isSkipping = !operation.endsMessage();
            return;
        }
        int outcome =
                operation.isSend() ? message.send(operation, view) : message.write(operation, view);
        if (outcome != InboundMessage.DONE) {
            if (outcome == InboundMessage.NOT_READY) {
                engine.counters.add(Counter.DROPPED_NO_RECEIVE);
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
            engine.counters.add(Counter.BROKEN_MESSAGE);
            message.giveUp();
        }
    }

    @Override
    public void flushMessage() {
        message.abandon(true);
    }
}
