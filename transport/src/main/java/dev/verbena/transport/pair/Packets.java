package dev.verbena.transport.pair;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.Path;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.common.Counters;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Service;

/// The common parts of all outgoing packets.
public final class Packets {
    private Packets() {}

    /// The service whose opcodes a type of queue pair sends and takes.
    public static Service service(QueuePairType type) {
        return switch (type) {
            case RC -> Service.RC;
            case UC -> Service.UC;
            case UD -> Service.UD;
        };
    }

    /// Bytes from the BTH through the seal.
    public static int length(QueuePairCore pair, Opcode opcode, int payload) {
        return Bth.LENGTH
                + opcode.headersLength()
                + payload
                + (-payload & 3)
                + pair.settings().seal().length();
    }

    /// Begins a packet to the peer: all fields that do not depend on the opcode.
    public static void start(
            OutboundPacket packet,
            QueuePairCore pair,
            Opcode opcode,
            int flags,
            int payload,
            int psn) {
        start(packet, pair, pair.connected(), pair.settings().peer(), opcode, flags, payload, psn);
    }

    /// Begins a packet to any destination.
    public static void start(
            OutboundPacket packet,
            QueuePairCore pair,
            Path way,
            int target,
            Opcode opcode,
            int flags,
            int payload,
            int psn) {
        packet.begin(
                way,
                pair.number(),
                pair.settings().isMarkable()
                        ? Congestion.CAPABLE
                        : way.address().trafficClass() & 3,
                Bth.LENGTH + opcode.headersLength(),
                pair.settings().seal());
        Bth.put(
                packet.header(),
                packet.headerAt(),
                opcode.code(),
                flags,
                -payload & 3,
                pair.settings().partitionKey(),
                target,
                psn);
    }

    /// Counts a packet that is complete, and hands it to the carrier.
    public static void finish(Counters counters, TransmitSink sink, OutboundPacket packet) {
        counters.add(Counter.SENT_PACKETS);
        counters.add(Counter.SENT_BYTES, packet.length());
        sink.accept(packet);
    }
}
