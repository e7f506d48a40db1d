package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The multicast groups of a seed, and which UD endpoints of a host are in them, in the order in
/// which they joined.
final class Groups {
    private static final int COUNT = 3;

    private final List<Gid> gids = new ArrayList<>();
    private final List<Map<Gid, List<UdEndpoint>>> members =
            List.of(new HashMap<>(), new HashMap<>());
    private final boolean hasLids;

    Groups(Plan plan) {
        hasLids = plan.layer == LinkLayer.INFINIBAND;
        for (int i = 0; i < COUNT; i++) {
            gids.add(
                    plan.gid(0).isIpv4()
                            ? new Gid(0, 0xFFFF_EF00_0001L + i)
                            : new Gid(0xFF12_0000_0000_0000L, 1 + i));
        }
    }

    Gid pick(Choices choices) {
        return choices.pick(gids);
    }

    int lid(Gid group) {
        return hasLids ? 0xC000 + (int) (group.low() & 0xFF) : 0;
    }

    Address address(Gid group) {
        return Address.multicast(group, lid(group));
    }

    List<UdEndpoint> in(Host host, Gid group) {
        return members.get(host.index).computeIfAbsent(group, _ -> new ArrayList<>());
    }

    /// Joins, or leaves what it is in.
    void change(UdEndpoint station, Gid group) {
        List<UdEndpoint> list = in(station.host, group);
        if (list.remove(station)) {
            station.queuePair.detachMulticast(group, lid(group));
        } else {
            list.add(station);
            station.queuePair.attachMulticast(group, lid(group));
        }
    }

    /// It was closed, and is in none any more.
    void forget(UdEndpoint station) {
        members.get(station.host.index).values().forEach(list -> list.remove(station));
    }
}
