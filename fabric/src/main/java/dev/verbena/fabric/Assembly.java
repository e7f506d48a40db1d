package dev.verbena.fabric;

/// Makes nodes, ports and links of a topology.
final class Assembly {
    private final Fabric fabric;
    private final FabricSettings settings;
    private final Topology topology;

    /// By node, the number of its first port among all ports.
    private final int[] firstPort;

    Assembly(Fabric fabric, Topology topology) {
        this.fabric = fabric;
        this.topology = topology;
        settings = fabric.settings();
        firstPort = firstPorts(topology);
    }

    /// By node, the number of its first port among all ports.
    static int[] firstPorts(Topology topology) {
        int[] first = new int[topology.hosts() + topology.switches()];
        int next = topology.hosts();
        for (int i = 0; i < topology.hosts(); i++) {
            first[i] = i;
        }
        for (int i = topology.hosts(); i < first.length; i++) {
            first[i] = next;
            next += topology.plan(i).ports();
        }
        return first;
    }

    void build(Nic[] nics, Node[] nodes) {
        for (int i = 0; i < nics.length; i++) {
            nics[i] = new Nic(fabric, i, firstPort[i], fabric.lid(i), fabric.gid(i));
            nodes[i] = nics[i];
        }
        for (int i = nics.length; i < nodes.length; i++) {
            nodes[i] = makeSwitch(i);
            if (settings.reduction().isOffered() && !topology.plan(i).isInner()) {
                int ports = topology.plan(i).ports();
                nodes[i].reduceBy(new Reducer(fabric, nodes[i], i, ports, firstPort[i]));
            }
        }
        for (int i = 0; i < topology.cables(); i++) {
            int node = topology.cable(i, 0);
            int port = topology.cable(i, 1);
            int other = topology.cable(i, 2);
            int otherPort = topology.cable(i, 3);
            Cable cable = topology.cablePlan(i).over(settings.cable());
            OutPort out = port(nodes[node], firstPort[node], port, cable);
            OutPort back = port(nodes[other], firstPort[other], otherPort, cable);
            out.connect(link(back, firstPort[other]));
            back.connect(link(out, firstPort[node]));
        }
        for (Node node : nodes) {
            if (node instanceof EthernetSwitch made) {
                made.check();
            }
        }
    }

    private Node makeSwitch(int node) {
        SwitchPlace place = topology.place(node);
        int ports = topology.plan(node).ports();
        if (topology.plan(node).isInner()) {
            return new InnerSwitch(fabric, place, ports);
        }
        return switch (settings.kind()) {
            case FabricKind.Ethernet kind -> ethernetSwitch(kind, place, ports);
            case FabricKind.InfiniBand kind -> {
                int largest = settings.largestWireBytes();
                if (kind.bufferBlocks() < CreditCount.blocks(largest)) {
                    throw new IllegalArgumentException(
                            ("the buffer of a lane has %,d bytes, and the largest packet %,d: "
                                            + "use %,d")
                                    .formatted(
                                            kind.bufferBlocks() * CreditCount.BLOCK,
                                            largest,
                                            CreditCount.blocks(largest) * CreditCount.BLOCK));
                }
                requireTablePorts(ports);
                int salt = EthernetSwitch.salt(settings, firstPort[node]);
                LaneRule lanes = topology.lanes();
                InfiniBandSwitch made =
                        lanes == null
                                ? new InfiniBandSwitch(fabric, kind, place, ports, salt)
                                : new LaneInfiniBandSwitch(fabric, kind, place, ports, salt, lanes);
                for (int host = 0; host < topology.hosts(); host++) {
                    made.write(fabric.lid(host), host);
                }
                yield made;
            }
        };
    }

    private EthernetSwitch ethernetSwitch(FabricKind.Ethernet kind, SwitchPlace place, int ports) {
        LaneRule lanes = topology.lanes();
        int first = firstPort[place.node()];
        return lanes == null
                ? new EthernetSwitch(fabric, kind, place, ports, first)
                : new LaneEthernetSwitch(fabric, kind, place, ports, first, lanes);
    }

    /// Whether a subnet has a LID for each host.
    static void requireLids(Topology topology) {
        if (topology.hosts() > Fabric.LIDS_MAX) {
            throw new IllegalArgumentException(
                    "an InfiniBand subnet has at most %,d hosts, not %,d"
                            .formatted(Fabric.LIDS_MAX, topology.hosts()));
        }
    }

    /// Whether a forwarding table can name all ports of a switch.
    static void requireTablePorts(int ports) {
        if (ports > ForwardingTable.PORTS_MAX) {
            throw new IllegalArgumentException(
                    "an InfiniBand switch has at most %d ports, not %d"
                            .formatted(ForwardingTable.PORTS_MAX, ports));
        }
    }

    /// The link to a port.
    ///
    /// @param first number of the first port of its node
    private Link link(OutPort to, int first) {
        int arrival = Orders.arrival(first + to.number);
        return new Link(fabric, arrival, to.cable(), to.owner, to.number);
    }

    /// Makes the sending half of a port.
    private OutPort port(Node node, int first, int number, Cable cable) {
        PortPlace place = new PortPlace(Orders.departure(first + number), node, number, cable);
        OutPort out = isInner(node) ? new PlainPort(fabric, place) : outer(place);
        switch (node) {
            case Nic nic -> nic.connect(out);
            case EthernetSwitch owner ->
                    owner.connect((EthernetPort) out, pauser(out, first + number));
            case InfiniBandSwitch owner -> owner.connect((InfiniBandPort) out);
            case InnerSwitch owner -> owner.connect((PlainPort) out);
        }
        return out;
    }

    private boolean isInner(Node node) {
        return node instanceof InnerSwitch
                || (node instanceof Nic nic && topology.isInner(nic.number()));
    }

    private OutPort outer(PortPlace place) {
        return switch (settings.kind()) {
            case FabricKind.Ethernet kind ->
                    kind.isRoundRobin() && place.owner() instanceof EthernetSwitch made
                            ? new RoundRobinPort(fabric, kind, place, made.ports())
                            : new EthernetPort(fabric, kind, place);
            case FabricKind.InfiniBand kind -> new InfiniBandPort(fabric, kind, place);
        };
    }

    private PauseSender pauser(OutPort out, int global) {
        return new PauseSender(fabric.clock(), Orders.pauseRenewal(global), out);
    }
}
