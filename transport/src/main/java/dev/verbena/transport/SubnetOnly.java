package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.common.Counters;
import dev.verbena.transport.manage.Management;

/// The way out of a port that is not active: packets of the subnet manager pass, others are dropped
/// (IBA 7.2.7).
record SubnetOnly(TransmitSink sink, Counters counters) implements TransmitSink {
    @Override
    public OutboundPacket next() {
        return sink.next();
    }

    @Override
    public void accept(OutboundPacket packet) {
        if (packet.queuePair() == Management.SUBNET) {
            sink.accept(packet);
        } else {
            counters.add(Counter.UNSENT_PORT);
        }
    }
}
