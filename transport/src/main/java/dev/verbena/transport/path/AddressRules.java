package dev.verbena.transport.path;

import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LinkLayer;

/// Which addresses a port can send to.
public final class AddressRules {
    private AddressRules() {}

    /// A RoCE port has addresses of IPv4 or of IPv6; packets go between two of one kind. Networks
    /// inside a process have groups of either kind.
    public static void requireSameVersion(Object who, DeviceSettings settings, Address peer) {
        if (settings.port.linkLayer() == LinkLayer.ETHERNET && !peer.gid().isMulticast()) {
            requireSameVersion(who.toString(), settings.gids.get(peer.sourceGid()), peer.gid());
        }
    }

    public static void requireSameVersion(String who, Gid ours, Gid theirs) {
        if (ours.isIpv4() != theirs.isIpv4()) {
            throw new InvalidRequestException(
                    who,
                    "%s and %s are of different IP versions".formatted(ours, theirs),
                    "use the peer's address of the same version");
        }
    }
}
