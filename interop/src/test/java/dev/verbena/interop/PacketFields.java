package dev.verbena.interop;

import dev.verbena.wire.Aeth;
import dev.verbena.wire.AtomicAckEth;
import dev.verbena.wire.AtomicEth;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Envelope;
import dev.verbena.wire.Eth;
import dev.verbena.wire.Ethernet;
import dev.verbena.wire.Feth;
import dev.verbena.wire.Grh;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Ieth;
import dev.verbena.wire.ImmDt;
import dev.verbena.wire.Ip;
import dev.verbena.wire.Ipv4;
import dev.verbena.wire.Ipv6;
import dev.verbena.wire.Lrh;
import dev.verbena.wire.Packet;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Rdeth;
import dev.verbena.wire.Reth;
import dev.verbena.wire.SackEth;
import dev.verbena.wire.Udp;
import dev.verbena.wire.Vlan;
import dev.verbena.wire.XrcEth;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Set;

/// The fields of a transport packet under tshark's names.
final class PacketFields {
    /// Reserved bytes of several headers; the BTH's holds FECN and BECN.
    static final String RESERVED = "infiniband.reserved";

    /// What a tshark that does not know an opcode cannot print.
    static final Set<String> BEHIND_BTH =
            Set.of(
                    "infiniband.rdeth.eecnxt",
                    "infiniband.deth.q_key",
                    "infiniband.deth.srcqp",
                    "infiniband.feth.sel",
                    "infiniband.feth.plt",
                    "infiniband.reth.va",
                    "infiniband.reth.r_key",
                    "infiniband.reth.dmalen",
                    "infiniband.atomiceth.swapdt",
                    "infiniband.atomiceth.cmpdt",
                    "infiniband.aeth.syndrome",
                    "infiniband.aeth.syndrome.reserved",
                    "infiniband.aeth.syndrome.opcode",
                    "infiniband.aeth.syndrome.credit_count",
                    "infiniband.aeth.syndrome.timer",
                    "infiniband.aeth.syndrome.reserved_value",
                    "infiniband.aeth.syndrome.error_code",
                    "infiniband.aeth.msn",
                    "infiniband.atomicacketh.origremdt",
                    "infiniband.immdt",
                    "infiniband.ieth",
                    "infiniband.vendor",
                    "data.data",
                    "infiniband.invariant.crc",
                    "infiniband.variant.crc");

    private PacketFields() {}

    /// All fields of a packet with data in it.
    static Expect of(PacketView view, Packet packet) {
        Expect expect = headers(view, packet);
        // The pad is shown with the payload; its bytes are zero.
        int padded = packet.payload().length() + packet.bth().padCount();
        if (padded > 0) {
            expect.bytes("data.data", Arrays.copyOf(packet.payload().toArray(), padded));
        }
        return expect;
    }

    /// All fields but the payload.
    static Expect headers(PacketView view, Packet packet) {
        Expect expect = new Expect();
        envelope(expect, packet.envelope());
        bth(expect, packet.bth());
        packet.headers().forEach(header -> header(expect, header));
        MemorySegment bytes = view.segment();
        expect.number("infiniband.invariant.crc", BigEndian.u32(bytes, view.icrcAt()));
        if (packet.envelope().encapsulation().isNative()) {
            long vcrcAt = view.icrcAt() + Icrc.LENGTH;
            expect.number("infiniband.variant.crc", BigEndian.u16(bytes, vcrcAt));
        }
        long restAt = view.bthAt() + Bth.LENGTH;
        byte[] rest = bytes.asSlice(restAt).toArray(ValueLayout.JAVA_BYTE);
        expect.optionalBytes("infiniband.vendor", Arrays.copyOf(rest, 4));
        expect.optionalBytes("infiniband.vendor", rest);
        return expect;
    }

    private static void envelope(Expect expect, Envelope envelope) {
        switch (envelope) {
            case Envelope.IbLocal(Lrh lrh) -> lrh(expect, lrh);
            case Envelope.IbGlobal(Lrh lrh, Grh grh) -> {
                lrh(expect, lrh);
                grh(expect, grh);
            }
            case Envelope.RoceV1(Ethernet ethernet, Grh grh) -> {
                ethernet(expect, ethernet);
                grh(expect, grh);
            }
            case Envelope.RoceV2(Ethernet ethernet, Ip ip, Udp udp) -> {
                ethernet(expect, ethernet);
                ip(expect, ip);
                udp(expect, udp);
            }
        }
    }

    static void ethernet(Expect expect, Ethernet ethernet) {
        expect.text("eth.dst", ethernet.destination().toString());
        expect.text("eth.src", ethernet.source().toString());
        if (ethernet.vlan().isEmpty()) {
            expect.number("eth.type", ethernet.etherType());
            return;
        }
        Vlan vlan = ethernet.vlan().get();
        expect.number("eth.type", Ethernet.TYPE_VLAN);
        expect.number("vlan.priority", vlan.priority());
        expect.flag("vlan.dei", vlan.dropEligible());
        expect.number("vlan.id", vlan.id());
        expect.number("vlan.etype", ethernet.etherType());
    }

    private static void ip(Expect expect, Ip ip) {
        switch (ip) {
            case Ipv4 four -> ipv4(expect, four);
            case Ipv6 six -> ipv6(expect, six);
        }
    }

    private static void ipv4(Expect expect, Ipv4 ip) {
        expect.number("ip.version", 4);
        expect.number("ip.hdr_len", Ipv4.LENGTH);
        expect.number("ip.dsfield", ip.trafficClass());
        expect.number("ip.dsfield.dscp", ip.trafficClass() >> 2);
        expect.number("ip.dsfield.ecn", ip.trafficClass() & 3);
        expect.number("ip.len", ip.totalLength());
        expect.number("ip.id", ip.id());
        expect.flag("ip.flags.rb", (ip.fragment() & 0x8000) != 0);
        expect.flag("ip.flags.df", (ip.fragment() & Ipv4.DONT_FRAGMENT) != 0);
        expect.flag("ip.flags.mf", (ip.fragment() & 0x2000) != 0);
        expect.number("ip.frag_offset", (ip.fragment() & 0x1FFF) * 8L);
        expect.number("ip.ttl", ip.timeToLive());
        expect.number("ip.proto", ip.protocol());
        expect.number("ip.checksum", ip.checksum());
        // 1 is good: tshark has computed it too.
        expect.number("ip.checksum.status", 1);
        expect.ipv4("ip.src", ip.source());
        expect.ipv4("ip.dst", ip.destination());
    }

    private static void ipv6(Expect expect, Ipv6 ip) {
        expect.number("ipv6.version", 6);
        expect.number("ipv6.tclass", ip.trafficClass());
        expect.number("ipv6.tclass.dscp", ip.trafficClass() >> 2);
        expect.number("ipv6.tclass.ecn", ip.trafficClass() & 3);
        expect.number("ipv6.flow", ip.flowLabel());
        expect.number("ipv6.plen", ip.payloadLength());
        expect.number("ipv6.nxt", ip.nextHeader());
        expect.number("ipv6.hlim", ip.hopLimit());
        expect.address("ipv6.src", ip.source());
        expect.address("ipv6.dst", ip.destination());
    }

    private static void udp(Expect expect, Udp udp) {
        expect.number("udp.srcport", udp.sourcePort());
        expect.number("udp.dstport", udp.destPort());
        expect.number("udp.length", udp.lengthBytes());
        expect.number("udp.checksum", udp.checksum());
    }

    private static void lrh(Expect expect, Lrh lrh) {
        expect.number("infiniband.lrh.vl", lrh.virtualLane());
        expect.number("infiniband.lrh.lver", lrh.version());
        expect.number("infiniband.lrh.sl", lrh.serviceLevel());
        expect.number("infiniband.lrh.reserved2", 0);
        expect.number("infiniband.lrh.lnh", lrh.nextHeader());
        expect.number("infiniband.lrh.dlid", lrh.destLid());
        expect.number("infiniband.lrh.reserved5", 0);
        expect.number("infiniband.lrh.pktlen", lrh.lengthWords());
        expect.number("infiniband.lrh.slid", lrh.sourceLid());
    }

    private static void grh(Expect expect, Grh grh) {
        expect.number("infiniband.grh.ipver", grh.version());
        expect.number("infiniband.grh.tclass", grh.trafficClass());
        expect.number("infiniband.grh.flowlabel", grh.flowLabel());
        expect.number("infiniband.grh.paylen", grh.payloadLength());
        expect.number("infiniband.grh.nxthdr", grh.nextHeader());
        expect.number("infiniband.grh.hoplmt", grh.hopLimit());
        expect.address("infiniband.grh.sgid", grh.source());
        expect.address("infiniband.grh.dgid", grh.destination());
    }

    private static void bth(Expect expect, Bth bth) {
        expect.number("infiniband.bth.opcode", bth.opcode());
        expect.flag("infiniband.bth.se", bth.solicited());
        expect.flag("infiniband.bth.m", bth.migration());
        expect.number("infiniband.bth.padcnt", bth.padCount());
        expect.number("infiniband.bth.tver", bth.version());
        expect.number("infiniband.bth.p_key", bth.pkey());
        expect.bytes(RESERVED, (byte) ((bth.fecn() ? 0x80 : 0) | (bth.becn() ? 0x40 : 0)));
        expect.number("infiniband.bth.destqp", bth.destQp());
        expect.flag("infiniband.bth.a", bth.ackRequest());
        expect.number("infiniband.bth.reserved7", 0);
        expect.number("infiniband.bth.psn", bth.psn());
    }

    private static void header(Expect expect, Eth header) {
        switch (header) {
            case Rdeth(int context) -> {
                expect.bytes(RESERVED, (byte) 0);
                expect.number("infiniband.rdeth.eecnxt", context);
            }
            case Deth(int qkey, int sourceQp) -> {
                expect.word("infiniband.deth.q_key", qkey);
                expect.bytes(RESERVED, (byte) 0);
                expect.number("infiniband.deth.srcqp", sourceQp);
            }
            case Reth(long address, int rkey, long lengthBytes) -> {
                expect.number("infiniband.reth.va", address);
                expect.word("infiniband.reth.r_key", rkey);
                expect.number("infiniband.reth.dmalen", lengthBytes);
            }
            case AtomicEth(long address, int rkey, long swapOrAdd, long compare) -> {
                // tshark names these two as if they were a RETH's.
                expect.number("infiniband.reth.va", address);
                expect.word("infiniband.reth.r_key", rkey);
                expect.number("infiniband.atomiceth.swapdt", swapOrAdd);
                expect.number("infiniband.atomiceth.cmpdt", compare);
            }
            case Aeth(int syndrome, int msn) -> aeth(expect, syndrome, msn);
            case AtomicAckEth(long original) ->
                    expect.number("infiniband.atomicacketh.origremdt", original);
            case ImmDt(int data) -> expect.repeatedBytes("infiniband.immdt", bytes(data));
            case Ieth(int rkey) -> expect.repeatedBytes("infiniband.ieth", bytes(rkey));
            case Feth(int selectivity, int placement) -> {
                expect.number("infiniband.feth.sel", selectivity);
                expect.number("infiniband.feth.plt", placement);
            }
            // No version of tshark has a name for its only field.
            case XrcEth _ -> {}
            // Verbena's own; tshark knows no manufacturer's opcodes.
            case SackEth _ -> {}
        }
    }

    private static void aeth(Expect expect, int syndrome, int msn) {
        expect.number("infiniband.aeth.syndrome", syndrome);
        expect.number("infiniband.aeth.syndrome.reserved", syndrome >> 7);
        expect.number("infiniband.aeth.syndrome.opcode", (syndrome >> 5) & 3);
        String value =
                switch ((syndrome >> 5) & 3) {
                    case 0 -> "credit_count";
                    case 1 -> "timer";
                    case 2 -> "reserved_value";
                    default -> "error_code";
                };
        expect.number("infiniband.aeth.syndrome." + value, syndrome & 0x1F);
        expect.number("infiniband.aeth.msn", msn);
    }

    private static byte[] bytes(int word) {
        byte[] bytes = new byte[Integer.BYTES];
        BigEndian.put32(MemorySegment.ofArray(bytes), 0, word);
        return bytes;
    }
}
