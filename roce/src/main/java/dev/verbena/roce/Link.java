package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.NoDeviceException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Enumeration;

/// The interface that an address is on.
///
/// @param index its number
/// @param scope the same for a link-local address, which needs it to mean anything; else 0
/// @param mtu the largest payload of a packet that it takes
record Link(int index, int scope, int mtu) {
    private static final int MTU_MAX = 4096;
    private static final int MTU_MIN = 256;

    /// IPv6 and UDP headers, BTH, the longest extended headers, ICRC: the same bytes that Linux
    /// subtracts.
    private static final int HEADERS = 40 + 8 + 12 + 4 + 28 + 4;

    private static final int LINK_LOCAL = 0xFE80;
    private static final int LINK_LOCAL_MASK = 0xFFC0;

    static Link of(Gid address) {
        try {
            InetAddress inet = address.toInetAddress();
            NetworkInterface found = NetworkInterface.getByInetAddress(inet);
            if (found == null && inet.isLoopbackAddress()) {
                // All of 127.0.0.0/8 is local, although the interface lists one address of it.
                found = loopback();
            }
            if (found == null) {
                throw new NoDeviceException(
                        "roce " + address,
                        "no interface of this machine has this address",
                        "use one of `ip address`");
            }
            int index = found.getIndex();
            return new Link(index, isLinkLocal(address) ? index : 0, roceMtu(found.getMTU()));
        } catch (SocketException failure) {
            throw new NoDeviceException(
                    "roce " + address,
                    "the system does not list its interfaces: " + failure,
                    "name the MTU: roce://ADDRESS?mtu=1024",
                    failure);
        }
    }

    private static boolean isLinkLocal(Gid address) {
        return (address.high() >>> 48 & LINK_LOCAL_MASK) == LINK_LOCAL;
    }

    private static NetworkInterface loopback() throws SocketException {
        Enumeration<NetworkInterface> all = NetworkInterface.getNetworkInterfaces();
        while (all.hasMoreElements()) {
            NetworkInterface one = all.nextElement();
            if (one.isLoopback()) {
                return one;
            }
        }
        throw new SocketException("no loopback interface");
    }

    /// The largest MTU of InfiniBand that fits, as Linux reckons it: 1500 makes 1024.
    static int roceMtu(int ethernetMtu) {
        int room = Math.clamp((long) ethernetMtu - HEADERS, MTU_MIN, MTU_MAX);
        return Integer.highestOneBit(room);
    }
}
