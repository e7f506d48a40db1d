package dev.verbena.transport.datagram;

import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.Seal;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Grh;
import dev.verbena.wire.Ip;
import dev.verbena.wire.Ipv4;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Udp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Writes the 40 bytes before a received datagram from the addresses that the carrier reports: a
/// socket does not show the headers themselves.
final class GlobalHeader {
    private static final int IPV4_AT = DatagramHeader.LENGTH - Ipv4.LENGTH;

    private final boolean isEthernet;

    /// Room for one of each kind, so that the bytes before an IPv4 header stay zero; taken with the
    /// first datagram.
    private MemorySegment bytes = MemorySegment.NULL;

    private long at;

    GlobalHeader(LinkLayer link) {
        isEthernet = link == LinkLayer.ETHERNET;
    }

    MemorySegment bytes() {
        return bytes;
    }

    /// Where those written last begin.
    long at() {
        return at;
    }

    /// Writes them; false when the packet had no such header.
    boolean write(InboundPacket packet, Seal seal) {
        if (!isEthernet && (packet.sourceHigh() | packet.sourceLow()) == 0) {
            return false;
        }
        if (bytes.byteSize() == 0) {
            bytes = Arena.ofAuto().allocate(2 * DatagramHeader.LENGTH, Long.BYTES);
        }
        PacketView view = packet.view();
        int length =
                Bth.LENGTH
                        + view.opcode().headersLength()
                        + view.payloadLength()
                        + (-view.payloadLength() & 3)
                        + seal.length()
                        + (isEthernet ? Udp.LENGTH : 0);
        // A port with an IPv4 address may send to a group that has an IPv6 one.
        boolean isIpv4 =
                isEthernet
                        && packet.destinationHigh() == 0
                        && Gid.isIpv4(packet.sourceHigh(), packet.sourceLow());
        if (isIpv4) {
            at = 0;
            Ipv4.put(
                    bytes,
                    at + IPV4_AT,
                    packet.trafficClass(),
                    Ipv4.LENGTH + length,
                    packet.hopLimit(),
                    (int) packet.sourceLow(),
                    (int) packet.destinationLow());
        } else {
            at = DatagramHeader.LENGTH;
            Grh.put(
                    bytes,
                    at,
                    packet.trafficClass(),
                    packet.flowLabel(),
                    length,
                    isEthernet ? Ip.UDP : Grh.IBA_TRANSPORT,
                    packet.hopLimit());
            Grh.putGids(
                    bytes,
                    at,
                    packet.sourceHigh(),
                    packet.sourceLow(),
                    packet.destinationHigh(),
                    packet.destinationLow());
        }
        return true;
    }
}
