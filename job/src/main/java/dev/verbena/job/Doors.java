package dev.verbena.job;

import dev.verbena.collectives.link.Member;
import dev.verbena.collectives.link.Reception;
import dev.verbena.fabric.Fabric;
import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.TransportOptions;
import dev.verbena.verbs.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// The devices of all ranks, and where their peers find them. Ranks that share a NIC listen at
/// different ports of it.
final class Doors {
    private static final int PORT = 7000;

    private final List<TransportDevice> devices = new ArrayList<>();
    private final List<List<Reception>> receptions = new ArrayList<>();
    private final List<Member> members = new ArrayList<>();

    /// @param options changes the options of each NIC; ports within hosts have none to change
    Doors(Fabric fabric, JobLayout layout, Consumer<TransportOptions> options) {
        for (int nic = 0; nic < layout.nics(); nic++) {
            devices.add(fabric.open(nic, options));
        }
        for (int rank = 0; rank < layout.ranks(); rank++) {
            int port = PORT + rank % layout.ranksPerHost();
            List<TransportDevice> own = new ArrayList<>();
            own.add(devices.get(layout.nicOf(rank)));
            if (layout.inner() != null) {
                TransportDevice inner = fabric.open(layout.innerPortOf(rank, fabric.topology()));
                devices.add(inner);
                own.add(inner);
            }
            receptions.add(own.stream().map(it -> new Reception(it, port)).toList());
            List<Address> addresses = own.stream().map(Member::addressOf).toList();
            members.add(new Member(addresses, port, layout.hostOf(rank)));
        }
    }

    List<TransportDevice> devices() {
        return devices;
    }

    /// By rank, of its NIC, and of its port within the host.
    List<List<Reception>> receptions() {
        return receptions;
    }

    List<Member> members() {
        return members;
    }
}
