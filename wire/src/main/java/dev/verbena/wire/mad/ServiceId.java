package dev.verbena.wire.mad;

import dev.verbena.wire.WireException;

/// Service IDs of programs that use rdma_cm (IBA annex A11): a port space and a port in 64 bits.
///
/// | bits | field |
/// |---|---|
/// | 63..32 | zero |
/// | 31..16 | port space; for an IP protocol 0x01 and the protocol's number |
/// | 15..0 | port |
public final class ServiceId {
    /// Reliable connections, addressed like TCP.
    public static final int PORT_SPACE_TCP = 0x0106;

    /// Datagrams, resolved by SIDR.
    public static final int PORT_SPACE_UDP = 0x0111;

    /// Datagrams in the multicast groups of IP over InfiniBand.
    public static final int PORT_SPACE_IPOIB = 0x0002;

    /// Any service, addressed by InfiniBand's own means.
    public static final int PORT_SPACE_IB = 0x013F;

    private ServiceId() {}

    public static long of(int portSpace, int port) {
        WireException.requireBits("port space", portSpace, 16);
        WireException.requireBits("port", port, 16);
        return ((long) portSpace << 16) | port;
    }

    public static long ofTcp(int port) {
        return of(PORT_SPACE_TCP, port);
    }

    public static long ofUdp(int port) {
        return of(PORT_SPACE_UDP, port);
    }

    /// Whether the ID lies in one of rdma_cm's port spaces; only then the next two mean anything.
    public static boolean isRdmaCm(long serviceId) {
        return serviceId >>> 32 == 0 && !spaceName(portSpace(serviceId)).isEmpty();
    }

    public static int portSpace(long serviceId) {
        return (int) (serviceId >>> 16) & 0xFFFF;
    }

    public static int port(long serviceId) {
        return (int) serviceId & 0xFFFF;
    }

    /// The ID for people: `tcp port 7174`, or the whole number when it is not rdma_cm's.
    public static String name(long serviceId) {
        return isRdmaCm(serviceId)
                ? spaceName(portSpace(serviceId)) + " port " + port(serviceId)
                : "service id 0x%016x".formatted(serviceId);
    }

    private static String spaceName(int portSpace) {
        return switch (portSpace) {
            case PORT_SPACE_TCP -> "tcp";
            case PORT_SPACE_UDP -> "udp";
            case PORT_SPACE_IPOIB -> "ipoib";
            case PORT_SPACE_IB -> "ib";
            default -> "";
        };
    }
}
