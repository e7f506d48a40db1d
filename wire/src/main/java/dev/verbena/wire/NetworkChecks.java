package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// The checks in front of the BTH: Ethernet, IP and UDP; LRH and GRH.
///
/// Each method takes the bytes from `at` up to `end` and either refuses them or passes a shorter
/// range on, so that what a header claims can only ever narrow what is read.
final class NetworkChecks {
    private NetworkChecks() {}

    static Verdict ethernet(PacketView view, long at, long end) {
        MemorySegment segment = view.segment;
        if (end - at < Ethernet.LENGTH) {
            return Verdict.ETHERNET_TRUNCATED;
        }
        if (Ethernet.tagged(segment, at) && end - at < Ethernet.LENGTH + Vlan.LENGTH) {
            return Verdict.VLAN_TRUNCATED;
        }
        view.ethernetAt = at;
        long next = at + Ethernet.length(segment, at);
        return switch (Ethernet.etherType(segment, at)) {
            case Ethernet.TYPE_IPV4 -> ipv4(view, next, end);
            case Ethernet.TYPE_IPV6 -> ipv6(view, next, end);
            case Ethernet.TYPE_ROCE_V1 -> roceV1(view, next, end);
            case Ethernet.TYPE_MAC_CONTROL -> macControl(view, next, end);
            case Ethernet.TYPE_LLDP -> lldp(view, next, end);
            default -> Verdict.ETHERTYPE_FOREIGN;
        };
    }

    static Verdict infiniBand(PacketView view, long at, long end) {
        MemorySegment segment = view.segment;
        if (end - at < Lrh.LENGTH + Vcrc.LENGTH) {
            return Verdict.LRH_TRUNCATED;
        }
        if (Lrh.version(segment, at) != Lrh.VERSION) {
            return Verdict.LRH_VERSION;
        }
        long vcrcAt = at + 4L * Lrh.lengthWords(segment, at);
        if (vcrcAt + Vcrc.LENGTH != end) {
            return Verdict.LRH_LENGTH;
        }
        view.networkAt = at;
        long next = at + Lrh.LENGTH;
        return switch (Lrh.nextHeader(segment, at)) {
            case Lrh.IBA_LOCAL -> {
                view.encapsulation = Encapsulation.IB_LOCAL;
                yield TransportChecks.check(view, next, vcrcAt);
            }
            case Lrh.IBA_GLOBAL -> {
                view.encapsulation = Encapsulation.IB_GLOBAL;
                yield grh(view, next, vcrcAt, true);
            }
            default -> Verdict.RAW_PACKET;
        };
    }

    private static Verdict roceV1(PacketView view, long at, long end) {
        view.encapsulation = Encapsulation.ROCE_V1;
        view.networkAt = at;
        return grh(view, at, end, false);
    }

    /// On a native link the GRH and the LRH agree on the length; an Ethernet frame may go on with
    /// padding behind the ICRC.
    private static Verdict grh(PacketView view, long at, long end, boolean exact) {
        MemorySegment segment = view.segment;
        if (end - at < Grh.LENGTH) {
            return Verdict.GRH_TRUNCATED;
        }
        if (Grh.version(segment, at) != Grh.VERSION) {
            return Verdict.GRH_VERSION;
        }
        long payloadAt = at + Grh.LENGTH;
        long payloadEnd = payloadAt + Grh.payloadLength(segment, at);
        if (exact ? payloadEnd != end : payloadEnd > end) {
            return Verdict.GRH_LENGTH;
        }
        if (Grh.nextHeader(segment, at) != Grh.IBA_TRANSPORT) {
            return Verdict.GRH_NEXT_HEADER_FOREIGN;
        }
        return TransportChecks.check(view, payloadAt, payloadEnd);
    }

    private static Verdict ipv4(PacketView view, long at, long end) {
        MemorySegment segment = view.segment;
        if (end - at < Ipv4.LENGTH) {
            return Verdict.IPV4_TRUNCATED;
        }
        if (Ipv4.version(segment, at) != Ipv4.VERSION) {
            return Verdict.IPV4_VERSION;
        }
        if (!isForUs(segment, at, end)) {
            return foreignIpv4(segment, at);
        }
        if (Ipv4.headerWords(segment, at) * 4 != Ipv4.LENGTH) {
            return Verdict.IPV4_OPTIONS;
        }
        long payloadEnd = at + Ipv4.totalLength(segment, at);
        if (payloadEnd < at + Ipv4.LENGTH || payloadEnd > end) {
            return Verdict.IPV4_LENGTH;
        }
        if (!Ipv4.checksumIsRight(segment, at)) {
            return Verdict.IPV4_CHECKSUM;
        }
        view.encapsulation = Encapsulation.ROCE_V2_IPV4;
        view.networkAt = at;
        return udp(view, at + Ipv4.LENGTH, payloadEnd);
    }

    /// Packets of other protocols must not be reported for options, fragments or checksums that are
    /// filled in later, so the port is checked first. A packet that is too short to contain the
    /// port is treated as RoCE.
    private static boolean isForUs(MemorySegment segment, long at, long end) {
        long udpAt = at + 4L * Ipv4.headerWords(segment, at);
        boolean whole = (Ipv4.fragment(segment, at) & Ipv4.FRAGMENTED) == 0;
        boolean portSeen = udpAt >= at + Ipv4.LENGTH && end - udpAt >= Udp.LENGTH;
        return Ipv4.protocol(segment, at) == Ip.UDP
                && whole
                && (!portSeen || Udp.destPort(segment, udpAt) == Udp.ROCE_PORT);
    }

    private static Verdict foreignIpv4(MemorySegment segment, long at) {
        if (Ipv4.protocol(segment, at) != Ip.UDP) {
            return Verdict.IP_PROTOCOL_FOREIGN;
        }
        boolean fragment = (Ipv4.fragment(segment, at) & Ipv4.FRAGMENTED) != 0;
        return fragment ? Verdict.IPV4_FRAGMENT : Verdict.UDP_PORT_FOREIGN;
    }

    private static Verdict ipv6(PacketView view, long at, long end) {
        MemorySegment segment = view.segment;
        if (end - at < Ipv6.LENGTH) {
            return Verdict.IPV6_TRUNCATED;
        }
        if (Grh.version(segment, at) != Ipv6.VERSION) {
            return Verdict.IPV6_VERSION;
        }
        long payloadAt = at + Ipv6.LENGTH;
        long payloadEnd = payloadAt + Grh.payloadLength(segment, at);
        if (payloadEnd > end) {
            return Verdict.IPV6_LENGTH;
        }
        if (Grh.nextHeader(segment, at) != Ip.UDP) {
            return Verdict.IP_PROTOCOL_FOREIGN;
        }
        view.encapsulation = Encapsulation.ROCE_V2_IPV6;
        view.networkAt = at;
        return udp(view, payloadAt, payloadEnd);
    }

    /// The UDP checksum is not looked at: RoCE senders leave it zero, captures of offloaded senders
    /// hold half a sum, and the ICRC covers the same bytes better.
    private static Verdict udp(PacketView view, long at, long end) {
        MemorySegment segment = view.segment;
        if (end - at < Udp.LENGTH) {
            return Verdict.UDP_TRUNCATED;
        }
        if (Udp.destPort(segment, at) != Udp.ROCE_PORT) {
            return Verdict.UDP_PORT_FOREIGN;
        }
        if (Udp.lengthBytes(segment, at) != end - at) {
            return Verdict.UDP_LENGTH;
        }
        return TransportChecks.check(view, at + Udp.LENGTH, end);
    }

    private static Verdict macControl(PacketView view, long at, long end) {
        MemorySegment segment = view.segment;
        if (end - at < Pause.LENGTH) {
            return Verdict.MAC_CONTROL_TRUNCATED;
        }
        PacketKind kind;
        switch (BigEndian.u16(segment, at)) {
            case Pause.OPCODE -> kind = PacketKind.PAUSE;
            case Pfc.OPCODE -> kind = PacketKind.PFC;
            default -> {
                return Verdict.MAC_CONTROL_FOREIGN;
            }
        }
        if (kind == PacketKind.PFC && end - at < Pfc.LENGTH) {
            return Verdict.MAC_CONTROL_TRUNCATED;
        }
        return control(view, kind, at, end);
    }

    private static Verdict lldp(PacketView view, long at, long end) {
        Verdict verdict = Lldp.check(view.segment, at, (int) (end - at));
        return verdict.isOk() ? control(view, PacketKind.LLDP, at, end) : verdict;
    }

    private static Verdict control(PacketView view, PacketKind kind, long at, long end) {
        view.kind = kind;
        view.controlAt = at;
        view.controlLength = (int) (end - at);
        return Verdict.OK;
    }
}
