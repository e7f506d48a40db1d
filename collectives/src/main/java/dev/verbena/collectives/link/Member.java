package dev.verbena.collectives.link;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import java.util.List;

/// Where a rank is.
///
/// @param addresses of its devices: first that between hosts, then, where there is one, that within
///   the host
/// @param port at which it listens on each of them
/// @param host a number that the ranks of one host share
public record Member(List<Address> addresses, int port, int host) {
    public Member {
        addresses = List.copyOf(addresses);
        if (addresses.isEmpty() || addresses.size() > 2) {
            throw new IllegalArgumentException(
                    "a rank has one or two devices, not " + addresses.size());
        }
    }

    /// The address of the first port of a device, for its peers.
    public static Address addressOf(Device device) {
        Gid gid = device.gids(1).getFirst();
        return address(device.port(1).lid(), gid, Address.ROCE_PORT);
    }

    /// An address with usual values for all else.
    public static Address address(int lid, Gid gid, int udpPort) {
        Address usual = Address.to(gid);
        return new Address(
                lid,
                gid,
                usual.serviceLevel(),
                usual.trafficClass(),
                usual.flowLabel(),
                usual.hopLimit(),
                usual.sourceGid(),
                udpPort);
    }
}
