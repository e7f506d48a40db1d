package dev.verbena.virtual;

import dev.verbena.transport.Path;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Envelope;
import dev.verbena.wire.Ethernet;
import dev.verbena.wire.InternetChecksum;
import dev.verbena.wire.Ipv4;
import dev.verbena.wire.MacAddress;
import dev.verbena.wire.Udp;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// All that a sender needs for one path: the headers in front of the BTH, written once, and who
/// lives at its end.
final class Route {
    /// Ethernet, IPv4 and UDP.
    static final int HEADERS = Ethernet.LENGTH + Ipv4.LENGTH + Udp.LENGTH;

    private static final int IP_UDP = 17;

    // What differs from packet to packet, as offsets in the headers.
    private static final int TRAFFIC_CLASS = Ethernet.LENGTH + 1;
    private static final int TOTAL_LENGTH = Ethernet.LENGTH + 2;
    private static final int CHECKSUM = Ethernet.LENGTH + 10;
    private static final int UDP_LENGTH = Ethernet.LENGTH + Ipv4.LENGTH + 4;

    /// Locally administered addresses, which belong to no manufacturer.
    private static final long MAC_PREFIX = 0x0200_0000_0000L;

    private static final int NUMBER_MASK = 0xFF_FFFF;

    private final MemorySegment headers = MemorySegment.ofArray(new byte[HEADERS]);
    private final Address address;
    private @Nullable Port to;

    Route(Path path, int source) {
        address = path.address();
        if (address.gid().isIpv4()) {
            emit(source, (int) address.gid().low());
        }
    }

    /// Whether frames can be written for it: others than IPv4 addresses reach nobody here.
    boolean isWritable() {
        return address.gid().isIpv4();
    }

    Gid destination() {
        return address.gid();
    }

    /// Who took the last packet, when he is still there.
    @Nullable Port to() {
        return to != null && to.isClosed() ? null : to;
    }

    void to(@Nullable Port port) {
        to = port;
    }

    /// Writes the headers around so many bytes from BTH through ICRC.
    void write(MemorySegment segment, long at, int transportLength, int ecn) {
        MemorySegment.copy(headers, 0, segment, at, HEADERS);
        BigEndian.put8(segment, at + TRAFFIC_CLASS, (address.trafficClass() & ~3) | ecn);
        BigEndian.put16(segment, at + TOTAL_LENGTH, Ipv4.LENGTH + Udp.LENGTH + transportLength);
        long sum = InternetChecksum.add(0, segment, at + Ethernet.LENGTH, Ipv4.LENGTH);
        BigEndian.put16(segment, at + CHECKSUM, InternetChecksum.fold(sum));
        BigEndian.put16(segment, at + UDP_LENGTH, Udp.LENGTH + transportLength);
    }

    private void emit(int source, int destination) {
        // The checksum is left zero, so that the sum over all of it is the right one.
        new Envelope.RoceV2(
                        Ethernet.of(mac(destination), mac(source), Ethernet.TYPE_IPV4),
                        new Ipv4(
                                address.trafficClass(),
                                0,
                                0,
                                Ipv4.DONT_FRAGMENT,
                                address.hopLimit(),
                                IP_UDP,
                                0,
                                source,
                                destination),
                        new Udp(Udp.sourcePortOf(address.flowLabel()), address.udpPort(), 0, 0))
                .emit(headers, 0);
    }

    private static MacAddress mac(int ipv4) {
        return new MacAddress(MAC_PREFIX | (ipv4 & NUMBER_MASK));
    }
}
