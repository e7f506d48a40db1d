package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.NoDeviceException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;

/// The name of this host in a URI.
final class HostName {
    private HostName() {}

    /// The first address of a name that this host has.
    static Gid resolve(URI uri, String name) {
        InetAddress[] all = all(uri, name);
        for (InetAddress address : all) {
            if (OwnAddresses.has(address)) {
                return Gid.of(address);
            }
        }
        throw new NoDeviceException(
                "device " + uri,
                "'%s' is %s, and no interface here has that address"
                        .formatted(
                                name,
                                String.join(
                                        ", ",
                                        Arrays.stream(all)
                                                .map(InetAddress::getHostAddress)
                                                .toList())),
                "name this host, or write one of the addresses of `ip address`");
    }

    private static InetAddress[] all(URI uri, String name) {
        try {
            return InetAddress.getAllByName(name);
        } catch (UnknownHostException unknown) {
            throw new NoDeviceException(
                    "device " + uri,
                    "no address is known for the name '" + name + "'",
                    "write the address, as in roce://192.0.2.10",
                    unknown);
        }
    }
}
