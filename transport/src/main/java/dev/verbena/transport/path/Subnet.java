package dev.verbena.transport.path;

import dev.verbena.transport.carrier.PortSettings;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;

/// IBA 8 (routing): within a subnet packets find their way by LID, and a GRH would be 40 bytes for
/// nothing. On Ethernet the GID is the address.
public final class Subnet {
    private Subnet() {}

    /// The address with which packets carry a GRH only when they leave the subnet of the port.
    public static Address shortest(PortSettings port, Address to) {
        Gid ours = port.gids().getFirst();
        boolean isLocal =
                port.attributes().linkLayer() == LinkLayer.INFINIBAND
                        && (ours.high() == to.gid().high()
                                || ours.equals(Gid.NONE)
                                || to.gid().equals(Gid.NONE));
        return isLocal ? to.withGid(Gid.NONE) : to;
    }
}
