package dev.verbena.fabric;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Encapsulation;
import dev.verbena.wire.Ethernet;
import dev.verbena.wire.FlowControl;
import dev.verbena.wire.Grh;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Ipv4;
import dev.verbena.wire.Lrh;
import dev.verbena.wire.MacAddress;
import dev.verbena.wire.Pfc;
import dev.verbena.wire.Udp;
import dev.verbena.wire.Vcrc;
import dev.verbena.wire.capture.CaptureWriter;
import dev.verbena.wire.capture.Erf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Writes the packets and frames that leave ports as they are on the wire, with right checksums:
/// RoCE as Ethernet frames, InfiniBand as ERF records. Payload without bytes is written as zeros.
final class PortCapture {
    private static final int BYTES = 8192;
    private static final int SHORTEST_FRAME = 60;

    /// Locally administered addresses, which belong to no manufacturer.
    private static final long MAC_PREFIX = 0x0200_0000_0000L;

    private static final long GROUP_PREFIX = 0x0100_5E00_0000L;

    private final PacketPool pool;
    private final CaptureWriter writer;
    private final LinkLayer layer;
    private final Icrc icrc = new Icrc();
    private final MemorySegment frame = Arena.ofAuto().allocate(BYTES, 8);
    private final MemorySegment record = Arena.ofAuto().allocate(BYTES, 8);

    PortCapture(PacketPool pool, CaptureWriter writer, LinkLayer layer) {
        this.pool = pool;
        this.writer = writer;
        this.layer = layer;
    }

    /// A packet starts to leave, in a lane.
    void packet(int packet, int lane, long nowPs) {
        if (layer == LinkLayer.ETHERNET) {
            write(Erf.ETHERNET, ethernet(packet), nowPs);
        } else {
            write(Erf.INFINIBAND, infiniBand(packet, lane), nowPs);
        }
    }

    /// A frame for the neighbour starts to leave.
    void frame(long content, long nowPs) {
        int lane = LinkFrame.lane(content);
        if (layer == LinkLayer.ETHERNET) {
            frame.asSlice(0, SHORTEST_FRAME).fill((byte) 0);
            link(MacAddress.PAUSE, new MacAddress(MAC_PREFIX), Ethernet.TYPE_MAC_CONTROL);
            long quanta = (long) LinkFrame.value(content) << (16 * (3 - lane % 4));
            new Pfc(1 << lane, lane < 4 ? quanta : 0, lane < 4 ? 0 : quanta)
                    .emit(frame, Ethernet.LENGTH);
            write(Erf.ETHERNET, SHORTEST_FRAME, nowPs);
        } else {
            FlowControl.put(frame, 0, FlowControl.NORMAL, 0, lane, LinkFrame.value(content));
            write(Erf.INFINIBAND_LINK, FlowControl.LENGTH, nowPs);
        }
    }

    private void link(MacAddress to, MacAddress from, int type) {
        new Ethernet(to, from, Optional.empty(), type).emit(frame, 0);
    }

    private static MacAddress mac(Gid gid) {
        if (gid.isMulticast()) {
            // RFC 1112, 6.4: the lower 23 bits of the group's address.
            return new MacAddress(GROUP_PREFIX | (gid.low() & 0x7F_FFFF));
        }
        return new MacAddress(MAC_PREFIX | (gid.low() & 0xFF_FFFF));
    }

    private int ethernet(int packet) {
        Route route = pool.route(packet);
        Address way = route.address;
        link(mac(way.gid()), mac(route.from.gid()), Ethernet.TYPE_IPV4);
        if (route.tcp != null) {
            return tcp(packet, route.tcp);
        }
        int udpLength = Udp.LENGTH + pool.transportLength(packet);
        int traffic = (way.trafficClass() & ~3) | pool.ecn(packet);
        int source = (int) route.from.gid().low();
        int hops = way.hopLimit();
        int total = Ipv4.LENGTH + udpLength;
        Ipv4.put(frame, Ethernet.LENGTH, traffic, total, hops, source, (int) way.gid().low());
        long udpAt = Ethernet.LENGTH + Ipv4.LENGTH;
        BigEndian.put16(frame, udpAt, Udp.sourcePortOf(way.flowLabel()));
        BigEndian.put16(frame, udpAt + 2, way.udpPort());
        BigEndian.put16(frame, udpAt + 4, udpLength);
        BigEndian.put16(frame, udpAt + 6, 0);
        long icrcAt = transport(packet, udpAt + Udp.LENGTH);
        int sum = icrc.compute(Encapsulation.ROCE_V2_IPV4, frame, Ethernet.LENGTH, icrcAt);
        Icrc.store(frame, icrcAt, sum);
        return (int) icrcAt + Icrc.LENGTH;
    }

    private int tcp(int packet, TcpEnd to) {
        int payload = pool.payloadLength(packet);
        MemorySegment headers = pool.headers(packet);
        long from = PacketPool.headersAt(packet);
        long at = TcpHeader.put(frame, Ethernet.LENGTH, headers, from, to, payload);
        frame.asSlice(at, payload).fill((byte) 0);
        return (int) at + payload;
    }

    private int infiniBand(int packet, int lane) {
        Route route = pool.route(packet);
        Address way = route.address;
        int length = pool.transportLength(packet);
        int words = (Lrh.LENGTH + (route.isGlobal ? Grh.LENGTH : 0) + length) / Integer.BYTES;
        int next = route.isGlobal ? Lrh.IBA_GLOBAL : Lrh.IBA_LOCAL;
        new Lrh(lane, 0, way.serviceLevel(), next, way.lid(), words, route.from.lid())
                .emit(frame, 0);
        long bthAt = Lrh.LENGTH;
        if (route.isGlobal) {
            int traffic = (way.trafficClass() & ~3) | pool.ecn(packet);
            int label = way.flowLabel();
            Grh.put(frame, bthAt, traffic, label, length, Grh.IBA_TRANSPORT, way.hopLimit());
            Gid from = route.path.source();
            Gid to = way.gid();
            Grh.putGids(frame, bthAt, from.high(), from.low(), to.high(), to.low());
            bthAt += Grh.LENGTH;
        }
        long icrcAt = transport(packet, bthAt);
        Encapsulation kind = route.isGlobal ? Encapsulation.IB_GLOBAL : Encapsulation.IB_LOCAL;
        Icrc.store(frame, icrcAt, icrc.compute(kind, frame, 0, icrcAt));
        long vcrcAt = icrcAt + Icrc.LENGTH;
        Vcrc.store(frame, vcrcAt, Vcrc.compute(frame, 0, vcrcAt));
        return (int) vcrcAt + Vcrc.LENGTH;
    }

    /// Puts headers and payload; returns where the ICRC goes.
    private long transport(int packet, long at) {
        int headers = pool.headersLength(packet);
        long from = PacketPool.headersAt(packet);
        MemorySegment.copy(pool.headers(packet), from, frame, at, headers);
        long icrcAt = at + pool.transportLength(packet) - Icrc.LENGTH;
        long zerosAt = at + headers;
        if (pool.hasBytes(packet)) {
            int length = pool.payloadLength(packet);
            MemorySegment.copy(pool.payload(packet), 0, frame, zerosAt, length);
            zerosAt += length;
        }
        frame.asSlice(zerosAt, icrcAt - zerosAt).fill((byte) 0);
        return icrcAt;
    }

    private void write(int type, int length, long nowPs) {
        long nowNs = nowPs / Clock.PS_PER_NS;
        try {
            if (layer == LinkLayer.ETHERNET) {
                writer.write(nowNs, frame, 0, length);
            } else {
                int bytes = Erf.emit(record, 0, type, nowNs, frame, 0, length);
                writer.write(nowNs, record, 0, bytes);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("the capture cannot be written", failure);
        }
    }
}
