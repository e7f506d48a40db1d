package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.manage.Management;

/// The way out of a port that is not active: packets of the subnet manager pass, others are dropped
/// (IBA 7.2.7).
final class SubnetOnly implements TransmitSink {
    private final Engine engine;
    private final TransmitSink sink;
    private int passed;

    SubnetOnly(Engine engine, TransmitSink sink) {
        this.engine = engine;
        this.sink = sink;
    }

    /// Goes on behind packets that were dropped: for the carrier, none means that none is left.
    int transmit(long nowNs, int classMask, int budgetBytes) {
        int made;
        do {
            made = engine.scheduler.transmit(nowNs, classMask, budgetBytes, this);
        } while (made > 0 && passed == 0);
        return passed;
    }

    @Override
    public OutboundPacket next() {
        return sink.next();
    }

    @Override
    public void accept(OutboundPacket packet) {
        if (packet.queuePair() == Management.SUBNET) {
            passed++;
            sink.accept(packet);
        } else {
            engine.counters.add(Counter.UNSENT_PORT);
        }
    }
}
