package dev.verbena.virtual;

import dev.verbena.transport.carrier.Path;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Encapsulation;
import dev.verbena.wire.Ethernet;
import dev.verbena.wire.Grh;
import dev.verbena.wire.Ip;
import dev.verbena.wire.Ipv4;
import dev.verbena.wire.Ipv6;
import dev.verbena.wire.MacAddress;
import dev.verbena.wire.Udp;
import dev.verbena.wire.Vlan;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// All that a sender needs for one path: the headers before the BTH, and the port at its end.
final class Route {
    /// The longest run of headers in front of the BTH.
    static final int HEADERS_MAX = Ethernet.LENGTH + Vlan.LENGTH + Ipv6.LENGTH + Udp.LENGTH;

    /// Locally administered addresses, which belong to no manufacturer.
    private static final long MAC_PREFIX = 0x0200_0000_0000L;

    /// Where IPv4 (RFC 1112) and IPv6 (RFC 2464) put groups.
    private static final long IPV4_GROUPS = 0x0100_5E00_0000L;

    private static final long IPV6_GROUPS = 0x3333_0000_0000L;

    private final Path path;
    private final Address address;
    private final Gid source;
    private final boolean ipv4;
    private final MemorySegment link = MemorySegment.ofArray(new byte[HEADERS_MAX]);
    private final int linkLength;
    private @Nullable Port to;

    Route(Path path, Gid source) {
        this.path = path;
        this.source = source;
        address = path.address();
        ipv4 = address.gid().isIpv4();
        Ethernet ethernet =
                new Ethernet(
                        mac(address.gid()),
                        mac(source),
                        tag(path.trafficClass()),
                        ipv4 ? Ethernet.TYPE_IPV4 : Ethernet.TYPE_IPV6);
        ethernet.emit(link, 0);
        linkLength = ethernet.length();
    }

    Path path() {
        return path;
    }

    Gid destination() {
        return address.gid();
    }

    Encapsulation encapsulation() {
        return ipv4 ? Encapsulation.ROCE_V2_IPV4 : Encapsulation.ROCE_V2_IPV6;
    }

    int linkLength() {
        return linkLength;
    }

    /// Bytes in front of the BTH.
    int headersLength() {
        return linkLength + (ipv4 ? Ipv4.LENGTH : Ipv6.LENGTH) + Udp.LENGTH;
    }

    /// The port at the end, once it was looked up; it may be closed by now, and its address is not
    /// used again.
    @Nullable Port to() {
        return to;
    }

    void to(@Nullable Port port) {
        to = port;
    }

    /// Writes the headers around so many bytes from BTH through ICRC.
    void write(MemorySegment segment, long at, int transportLength, int ecn) {
        MemorySegment.copy(link, 0, segment, at, linkLength);
        long ipAt = at + linkLength;
        int udpLength = Udp.LENGTH + transportLength;
        int traffic = (address.trafficClass() & ~3) | ecn;
        int hops = address.hopLimit();
        Gid gid = address.gid();
        if (ipv4) {
            int total = Ipv4.LENGTH + udpLength;
            Ipv4.put(segment, ipAt, traffic, total, hops, (int) source.low(), (int) gid.low());
        } else {
            Grh.put(segment, ipAt, traffic, address.flowLabel(), udpLength, Ip.UDP, hops);
            Grh.putGids(segment, ipAt, source.high(), source.low(), gid.high(), gid.low());
        }
        long udpAt = at + headersLength() - Udp.LENGTH;
        BigEndian.put16(segment, udpAt, Udp.sourcePortOf(address.flowLabel()));
        BigEndian.put16(segment, udpAt + 2, address.udpPort());
        BigEndian.put16(segment, udpAt + 4, udpLength);
        BigEndian.put16(segment, udpAt + 6, 0);
    }

    /// A priority other than the lowest needs a tag to travel in.
    private static Optional<Vlan> tag(int priority) {
        return priority == 0 ? Optional.empty() : Optional.of(new Vlan(priority, false, 0));
    }

    private static MacAddress mac(Gid gid) {
        if (!gid.isMulticast()) {
            return new MacAddress(MAC_PREFIX | (gid.low() & 0xFF_FFFF));
        }
        return new MacAddress(
                gid.isIpv4()
                        ? IPV4_GROUPS | (gid.low() & 0x7F_FFFF)
                        : IPV6_GROUPS | (gid.low() & 0xFFFF_FFFFL));
    }
}
