package dev.verbena.conformance;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePair;

/// A multicast group of a [World].
///
/// @param lid its LID on InfiniBand, 0 on Ethernet
public record Group(Gid gid, int lid) {
    private static final long ORGANISATION_LOCAL = 0xFF18_0000_0000_0000L;
    private static final int ADMINISTRATIVE = 0xEF01_0000;

    /// A group for ports that are named as this one is: by IPv4 or by IPv6 addresses.
    static Group onEthernet(Gid port, int index) {
        return new Group(
                port.isIpv4()
                        ? Gid.parse(dotted(ADMINISTRATIVE + index))
                        : new Gid(ORGANISATION_LOCAL, index + 1L),
                0);
    }

    private static String dotted(int address) {
        return "%d.%d.%d.%d"
                .formatted(
                        address >>> 24,
                        address >>> 16 & 0xFF,
                        address >>> 8 & 0xFF,
                        address & 0xFF);
    }

    /// The address of all its members.
    Address address() {
        return Address.multicast(gid, lid);
    }

    void attach(QueuePair pair) {
        pair.attachMulticast(gid, lid);
    }

    void detach(QueuePair pair) {
        pair.detachMulticast(gid, lid);
    }
}
