package dev.verbena.benchmarks;

import dev.verbena.wire.Bth;
import dev.verbena.wire.Envelope;
import dev.verbena.wire.Eth;
import dev.verbena.wire.Ethernet;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.IcrcPseudoHeader;
import dev.verbena.wire.Ip;
import dev.verbena.wire.Ipv4;
import dev.verbena.wire.MacAddress;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Packet;
import dev.verbena.wire.Payload;
import dev.verbena.wire.Reth;
import dev.verbena.wire.Service;
import dev.verbena.wire.Udp;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;

/// The one packet that all benchmarks use: an RC WRITE Only from 10.0.0.1 to 10.0.0.2.
final class Frames {
    static final int QP = 0x0012AB;
    static final int PSN = 0x00C0DE;
    static final long ADDRESS = 0x7F00_1234_5000L;
    static final int RKEY = 0x1234_5678;

    /// Where the BTH is in a RoCE v2 frame on IPv4.
    static final int BTH_AT = Ethernet.LENGTH + Ipv4.LENGTH + Udp.LENGTH;

    private static final int SOURCE = 0x0A00_0001;
    private static final int DESTINATION = 0x0A00_0002;
    private static final int SOURCE_PORT = 0xC123;

    static final int WRITE_ONLY = writeOnly().code();

    private Frames() {}

    /// A whole RoCE v2 frame on IPv4, with right checksums.
    static MemorySegment roce(int payloadBytes) {
        Ipv4 ip = new Ipv4(0, 0, 0, Ipv4.DONT_FRAGMENT, 64, Ip.UDP, 0, SOURCE, DESTINATION);
        Envelope envelope =
                new Envelope.RoceV2(
                        Ethernet.of(
                                new MacAddress(0x0200_0000_0002L),
                                new MacAddress(0x0200_0000_0001L),
                                Ethernet.TYPE_IPV4),
                        ip,
                        new Udp(SOURCE_PORT, Udp.ROCE_PORT, 0, 0));
        byte[] payload = new byte[payloadBytes];
        new SplittableRandom(payloadBytes).nextBytes(payload);
        List<Eth> headers = List.of(new Reth(ADDRESS, RKEY, payloadBytes));
        return Packet.of(envelope, Bth.of(writeOnly(), QP, PSN), headers, Payload.of(payload))
                .emit(new Icrc());
    }

    /// The same packet from its BTH through its ICRC: what a UDP socket delivers.
    static MemorySegment bare(int payloadBytes) {
        return roce(payloadBytes).asSlice(BTH_AT);
    }

    /// The headers that a UDP socket keeps from [#bare].
    static IcrcPseudoHeader pseudoHeader() {
        return new IcrcPseudoHeader().setIpv4(SOURCE, DESTINATION, SOURCE_PORT, Udp.ROCE_PORT);
    }

    private static Opcode writeOnly() {
        return Opcode.of(Service.RC, Operation.WRITE_ONLY);
    }
}
