package dev.verbena.fabric;

import dev.verbena.fabric.manage.Plane;
import dev.verbena.fabric.manage.Subnet;
import dev.verbena.fabric.manage.SubnetSettings;
import dev.verbena.verbs.PortState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A fabric as the agents of its subnet see and change it. Ports count from 1 there, and from 0
/// here.
final class ManagedPlane implements Plane {
    private static final int CONNECTED = 2;
    private static final int QDR_CODE = 4;

    private final Fabric fabric;
    private final Topology topology;

    /// By node and port, twice: the other node and its port, both from 1; 0 without a cable.
    private final int[][] ends;

    private final Subnet subnet;

    /// By host, what its port was given last.
    private final @Nullable HostPort[] hosts;

    ManagedPlane(Fabric fabric) {
        this.fabric = fabric;
        topology = fabric.topology();
        if (!(fabric.settings().kind() instanceof FabricKind.InfiniBand)) {
            throw new IllegalArgumentException(
                    "this fabric is Ethernet, which has no subnet manager: use FabricSettings."
                            + "INFINIBAND");
        }
        if (fabric.settings().reduction().isOffered()) {
            throw new IllegalArgumentException(
                    "a subnet manager does not know of reductions in the network: leave one out");
        }
        Routing routing = fabric.settings().routing();
        if (routing.repairs() || routing.spread() != FabricKind.Spread.FIXED) {
            throw new IllegalArgumentException(
                    "a subnet manager writes plain forwarding tables: leave out adaptive routing"
                            + " and local repair");
        }
        for (int host = 0; host < topology.hosts(); host++) {
            if (topology.isInner(host)) {
                throw new IllegalArgumentException(
                        "%s is inside of a host, where no subnet manager comes: use a topology"
                                        .formatted(topology.hostName(host))
                                + " without an inner network");
            }
        }
        hosts = new HostPort[topology.hosts()];
        ends = new int[topology.hosts() + topology.switches()][];
        for (int node = 0; node < ends.length; node++) {
            ends[node] = new int[CONNECTED * ports(node)];
        }
        for (int i = 0; i < topology.cables(); i++) {
            connect(topology.cable(i, 0), topology.cable(i, 1), i, 2);
            connect(topology.cable(i, 2), topology.cable(i, 3), i, 0);
        }
        for (int node = topology.hosts(); node < ends.length; node++) {
            table(node).clear();
        }
        fabric.multicast().beginWritten();
        subnet = new Subnet(this, SubnetSettings.DEFAULT);
    }

    private void connect(int node, int port, int cable, int other) {
        ends[node][CONNECTED * port] = topology.cable(cable, other) + 1;
        ends[node][CONNECTED * port + 1] = topology.cable(cable, other + 1) + 1;
    }

    Subnet subnet() {
        return subnet;
    }

    void cableChanged(int cable) {
        subnet.cableChanged(topology.cable(cable, 0), topology.cable(cable, 1) + 1);
    }

    /// The device of a host was opened, by settings that the builder of the fabric chose.
    void opened(int host) {
        HostPort known = hosts[host];
        if (known != null) {
            put(host, known);
        }
    }

    private ForwardingTable table(int node) {
        return ((InfiniBandSwitch) fabric.node(node)).table();
    }

    @Override
    public int nodes() {
        return topology.hosts() + topology.switches();
    }

    @Override
    public int hosts() {
        return topology.hosts();
    }

    @Override
    public String name(int node) {
        return node < topology.hosts() ? topology.hostName(node) : topology.plan(node).name();
    }

    @Override
    public long nodeGuid(int node) {
        return NetfileText.guid(node);
    }

    @Override
    public long portGuid(int node) {
        return node < topology.hosts() ? nodeGuid(node) + 1 : nodeGuid(node);
    }

    /// Packets do not leave the subnet of a fabric.
    @Override
    public boolean isRouter(int node) {
        return false;
    }

    @Override
    public int ports(int node) {
        return node < topology.hosts() ? 1 : topology.plan(node).ports();
    }

    @Override
    public int peer(int node, int port) {
        return ends[node][CONNECTED * (port - 1)] - 1;
    }

    @Override
    public int peerPort(int node, int port) {
        return ends[node][CONNECTED * (port - 1) + 1];
    }

    @Override
    public boolean isPlugged(int node, int port) {
        if (peer(node, port) < 0) {
            return false;
        }
        LinkFault fault = fabric.node(node).port(port - 1).link().fault();
        return fault == null || !fault.isDown();
    }

    @Override
    public LinkSpeed speed(int node, int port) {
        Rate rate =
                peer(node, port) < 0
                        ? fabric.settings().cable().rate()
                        : fabric.node(node).port(port - 1).cable().rate();
        return speed(rate);
    }

    /// Of several names for a rate, the one with four lanes; of a rate that has none, the fastest
    /// with four lanes that is not faster.
    static LinkSpeed speed(Rate rate) {
        LinkSpeed slower = new LinkSpeed(2, 1, 0);
        for (int lanes : List.of(4, 1, 2, 8, 12)) {
            for (Generation generation : Generation.values()) {
                long bits = generation.of(lanes).bitsPerSecond();
                if (bits == rate.bitsPerSecond()) {
                    return code(generation, lanes);
                }
                if (lanes == 4 && bits < rate.bitsPerSecond()) {
                    slower = code(generation, lanes);
                }
            }
        }
        return slower;
    }

    private static LinkSpeed code(Generation generation, int lanes) {
        int width =
                switch (lanes) {
                    case 1 -> 1;
                    case 4 -> 2;
                    case 8 -> 4;
                    case 12 -> 8;
                    default -> 16;
                };
        return switch (generation) {
            case SDR -> new LinkSpeed(width, 1, 0);
            case DDR -> new LinkSpeed(width, 2, 0);
            // That it is FDR10 would be in an attribute of one maker.
            case QDR, FDR10 -> new LinkSpeed(width, QDR_CODE, 0);
            case FDR -> new LinkSpeed(width, QDR_CODE, 1);
            case EDR -> new LinkSpeed(width, QDR_CODE, 2);
            case HDR -> new LinkSpeed(width, QDR_CODE, 4);
            case NDR, XDR -> new LinkSpeed(width, QDR_CODE, 8);
        };
    }

    @Override
    public int mtu() {
        return fabric.settings().mtu();
    }

    @Override
    public int lanes() {
        LaneMap map = ((FabricKind.InfiniBand) fabric.settings().kind()).lanes();
        int most = 0;
        for (int level = 0; level < 16; level++) {
            most = Math.max(most, map.lane(level));
        }
        return Math.min(most + 1, 15);
    }

    @Override
    public void host(int host, HostPort settings) {
        hosts[host] = settings;
        PortState state =
                Arrays.stream(PortState.values())
                        .filter(it -> it.code() == settings.state())
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("a state of a port: " + settings));
        fabric.nic(host).manage(state);
        put(host, settings);
    }

    private void put(int host, HostPort settings) {
        Nic nic = fabric.nic(host);
        if (nic.isOpen()) {
            nic.device()
                    .changePort(
                            it ->
                                    it.withLid(settings.lid(), settings.lidMask())
                                            .withPartitionKeys(settings.partitionKeys())
                                            .withGuids(List.of(portGuid(host)))
                                            .withSubnetPrefix(settings.gidPrefix())
                                            .withState(nic.portState()));
        }
    }

    @Override
    public void forward(int node, int lid, int port) {
        table(node).set(lid, port == 0 ? ForwardingTable.NOWHERE : port - 1);
    }

    @Override
    public void forwardGroup(int node, int lid, List<Integer> ports) {
        List<Integer> numbers = new ArrayList<>(ports);
        numbers.replaceAll(it -> it - 1);
        fabric.multicast().write(node, lid, numbers.stream().mapToInt(Integer::intValue).toArray());
    }

    @Override
    public void levels(int node, int in, int out, long lanes) {
        if (peer(node, out) >= 0) {
            port(node, out).levels(in - 1, ports(node), new LaneMap(lanes));
        }
    }

    @Override
    public void arbitration(int node, int port, List<Turn> low, List<Turn> high, int highLimit) {
        if (peer(node, port) >= 0) {
            port(node, port).arbitration(new VlArbitration(entries(high), entries(low), highLimit));
        }
    }

    private static List<VlArbitration.Entry> entries(List<Turn> turns) {
        return turns.stream().map(it -> new VlArbitration.Entry(it.lane(), it.weight())).toList();
    }

    private InfiniBandPort port(int node, int port) {
        return (InfiniBandPort) fabric.node(node).port(port - 1);
    }

    @Override
    public Map<String, Long> counters(int node, int port) {
        if (peer(node, port) < 0) {
            return Map.of();
        }
        OutPort out = fabric.node(node).port(port - 1);
        return PortCensus.of(fabric, out, out.neighbour()).counts();
    }

    @Override
    public long nowNs() {
        return fabric.nowPs() / Clock.PS_PER_NS;
    }

    @Override
    public void at(long timeNs, Runnable action) {
        fabric.at(Math.max(fabric.nowPs(), timeNs * Clock.PS_PER_NS), action);
    }
}
