package dev.verbena.transport;

import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Service;

/// The common parts of all outgoing packets.
final class Packets {
    private Packets() {}

    /// The service whose opcodes a type of queue pair sends and takes.
    static Service service(QueuePairType type) {
        return switch (type) {
            case RC -> Service.RC;
            case UC -> Service.UC;
            case UD -> Service.UD;
        };
    }

    /// Begins a packet to the peer: all fields that do not depend on the opcode.
    static void start(
            OutboundPacket packet,
            TransportQueuePair pair,
            Opcode opcode,
            int flags,
            int payload,
            int psn) {
        start(packet, pair, pair.connected(), pair.peer, opcode, flags, payload, psn);
    }

    /// Begins a packet to any destination.
    static void start(
            OutboundPacket packet,
            TransportQueuePair pair,
            Path way,
            int target,
            Opcode opcode,
            int flags,
            int payload,
            int psn) {
        packet.clear();
        packet.path = way;
        packet.queuePair = pair.number();
        packet.ecn = pair.isMarkable ? Congestion.CAPABLE : way.address().trafficClass() & 3;
        packet.headerLength = Bth.LENGTH + opcode.headersLength();
        Bth.put(
                packet.header(),
                packet.headerAt(),
                opcode.code(),
                flags,
                -payload & 3,
                pair.partitionKey,
                target,
                psn);
    }

    /// Counts a packet that is complete, and hands it to the carrier.
    static void finish(Engine engine, TransmitSink sink, OutboundPacket packet) {
        engine.counters.add(Counter.SENT_PACKETS);
        engine.counters.add(Counter.SENT_BYTES, packet.length());
        sink.accept(packet);
    }
}
