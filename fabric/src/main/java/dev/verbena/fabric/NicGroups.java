package dev.verbena.fabric;

import dev.verbena.verbs.Gid;
import java.util.HashSet;
import java.util.Set;

/// The multicast groups of a NIC, and the copies of its own packets: a switch sends none back to
/// where a packet came from, and other queue pairs of the sender may be members too.
final class NicGroups extends PacketLine {
    private final Nic nic;
    private final Multicast multicast;
    private final Set<Gid> joined = new HashSet<>();

    NicGroups(Nic nic, Fabric fabric, int globalPort) {
        super(fabric.clock(), fabric.pool(), Orders.nicLoopback(globalPort));
        this.nic = nic;
        multicast = fabric.multicast();
    }

    void join(Gid group) {
        multicast.join(nic, group, nic.number());
        joined.add(group);
    }

    void leave(Gid group) {
        joined.remove(group);
        multicast.leave(group, nic.number());
    }

    /// Takes a copy of a packet that the NIC sends, if it has joined the group.
    void loop(int handle, Route route, long tag) {
        if (joined.contains(route.address.gid())) {
            append(pool.copy(handle), tag, clock.nowPs());
        }
    }

    @Override
    void passed(int handle, long tag, long nowPs) {
        nic.arrived(handle, tag, nowPs);
    }
}
