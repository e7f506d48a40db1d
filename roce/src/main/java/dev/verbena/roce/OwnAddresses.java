package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.util.Comparator;
import java.util.List;

/// The addresses of this host.
final class OwnAddresses {
    private OwnAddresses() {}

    /// Devices at the addresses that a peer could know, IPv4 first; at the loopback's when there is
    /// none.
    static List<URI> devices() {
        List<URI> found = known().stream().map(OwnAddresses::device).toList();
        return found.isEmpty() ? List.of(URI.create("roce://127.0.0.1")) : found;
    }

    private static List<InetAddress> known() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(OwnAddresses::isUp)
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(it -> !it.isLoopbackAddress() && !it.isLinkLocalAddress())
                    .sorted(Comparator.comparing(it -> !(it instanceof Inet4Address)))
                    .toList();
        } catch (SocketException unknown) {
            return List.of();
        }
    }

    private static boolean isUp(NetworkInterface one) {
        try {
            return one.isUp();
        } catch (SocketException gone) {
            return false;
        }
    }

    private static URI device(InetAddress address) {
        Gid gid = Gid.of(address);
        return URI.create(gid.isIpv4() ? "roce://" + gid : "roce://[" + gid + "]");
    }

    /// Linux has all of 127.0.0.0/8, and names only one.
    static boolean has(InetAddress address) {
        try {
            return address.isLoopbackAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException unknown) {
            return false;
        }
    }
}
