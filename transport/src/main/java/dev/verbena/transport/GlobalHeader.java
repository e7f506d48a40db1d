package dev.verbena.transport;

import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Grh;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Ip;
import dev.verbena.wire.Ipv4;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Udp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Writes the 40 bytes in front of a received datagram from what the carrier says of the packet: a
/// socket does not show the headers themselves.
final class GlobalHeader {
    private static final int IPV4_AT = DatagramHeader.LENGTH - Ipv4.LENGTH;
    private static final long MAPPED = 0xFFFFL;

    private final boolean isEthernet;
    private final MemorySegment ipv4 = allocate();
    private final MemorySegment ipv6 = allocate();
    private MemorySegment written = ipv6;

    GlobalHeader(TransportOptions options) {
        isEthernet = options.port.linkLayer() == LinkLayer.ETHERNET;
    }

    /// The bytes written last.
    MemorySegment bytes() {
        return written;
    }

    private static MemorySegment allocate() {
        return Arena.ofAuto().allocate(DatagramHeader.LENGTH, Long.BYTES);
    }

    /// Writes them; false when the packet had no such header.
    boolean write(InboundPacket packet) {
        if (!isEthernet && (packet.sourceHigh() | packet.sourceLow()) == 0) {
            return false;
        }
        PacketView view = packet.view();
        int length =
                Bth.LENGTH
                        + view.opcode().headersLength()
                        + view.payloadLength()
                        + (-view.payloadLength() & 3)
                        + Icrc.LENGTH
                        + (isEthernet ? Udp.LENGTH : 0);
        if (isEthernet && packet.sourceHigh() == 0 && packet.sourceLow() >>> 32 == MAPPED) {
            written = ipv4;
            Ipv4.put(
                    ipv4,
                    IPV4_AT,
                    packet.trafficClass(),
                    Ipv4.LENGTH + length,
                    packet.hopLimit(),
                    (int) packet.sourceLow(),
                    (int) packet.destinationLow());
        } else {
            written = ipv6;
            Grh.put(
                    ipv6,
                    0,
                    packet.trafficClass(),
                    packet.flowLabel(),
                    length,
                    isEthernet ? Ip.UDP : Grh.IBA_TRANSPORT,
                    packet.hopLimit());
            Grh.putGids(
                    ipv6,
                    0,
                    packet.sourceHigh(),
                    packet.sourceLow(),
                    packet.destinationHigh(),
                    packet.destinationLow());
        }
        return true;
    }
}
