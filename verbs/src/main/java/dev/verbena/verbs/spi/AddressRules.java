package dev.verbena.verbs.spi;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LinkLayer;

/// Which addresses a port can send to. `who` is the object that takes the address, for the message.
public final class AddressRules {
    private AddressRules() {}

    /// Checks the address of an address handle: Ethernet finds a peer by its GID, InfiniBand by its
    /// LID.
    ///
    /// @param gids of the port
    public static void requireWay(Object who, LinkLayer link, Address address, int gids) {
        boolean isEthernet = link == LinkLayer.ETHERNET;
        if (isEthernet ? address.gid().equals(Gid.NONE) : address.lid() == 0) {
            throw new InvalidRequestException(
                    who.toString(),
                    isEthernet ? "no way without a gid" : "no way without a lid",
                    "use the address of the peer's endpoint: Address.to(endpoint)");
        }
        if (address.sourceGid() >= gids) {
            throw noGid(who, address, "the port has " + gids);
        }
    }

    /// Checks the address of a peer for the connection manager, which uses the GID.
    ///
    /// @param gids of the port
    public static void requireSource(Object who, Address address, int gids) {
        if (address.sourceGid() >= gids) {
            throw noGid(who, address, "use 0 to " + (gids - 1));
        }
    }

    private static InvalidRequestException noGid(Object who, Address address, String remedy) {
        return new InvalidRequestException(
                who.toString(), "the port has no gid at index " + address.sourceGid(), remedy);
    }

    /// A RoCE port has addresses of IPv4 or of IPv6; packets go between two of one kind. Groups of
    /// either kind are for the network to refuse.
    public static void requireSameVersion(Object who, LinkLayer link, Gid ours, Gid theirs) {
        if (link == LinkLayer.ETHERNET && !theirs.isMulticast()) {
            requireSameVersion(who, ours, theirs);
        }
    }

    /// The connection manager names both sides in one header, which has one IP version.
    public static void requireSameVersion(Object who, Gid ours, Gid theirs) {
        if (ours.isIpv4() != theirs.isIpv4()) {
            throw new InvalidRequestException(
                    who.toString(),
                    "%s and %s are of different IP versions".formatted(ours, theirs),
                    "use the peer's address of the same version");
        }
    }

    /// Checks that the GID names a multicast group.
    public static void requireGroup(Object who, Gid gid) {
        if (!gid.isMulticast()) {
            throw new InvalidRequestException(
                    who.toString(),
                    gid + " is not a multicast group",
                    "use ff00::/8 or 224.0.0.0/4");
        }
    }
}
