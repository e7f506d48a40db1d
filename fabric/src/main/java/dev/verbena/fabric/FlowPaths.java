package dev.verbena.fabric;

import java.util.Arrays;
import java.util.Locale;

/// The links by which packets of a connection go, and what they can carry: for models of whole
/// flows, which move no packets.
///
/// The switches' own choosers decide, so that a flow takes the same links here as its packets do in
/// a [Fabric] of the same topology and settings. Links are directions of cables, numbered from 0.
public final class FlowPaths {
    /// Between two hosts that do not reach each other.
    public static final int NOWHERE = -1;

    /// BTH and ICRC.
    private static final int PACKET = 16;

    private static final double PS_PER_SECOND = 1e12;

    private final Topology topology;
    private final FabricSettings settings;
    private final int hosts;

    /// By node, the number of its first port.
    private final int[] firstPort;

    /// By port, the link by which packets leave; and by link, the node where it ends.
    private final int[] linkOf;

    private final int[] ends;
    private final Cable[] cables;
    private final SwitchPlace[] places;
    private final RouteChooser[] choosers;

    /// @throws IllegalArgumentException where packets of a connection take several ways, and where
    ///   a [Fabric] could not be made
    public FlowPaths(Topology topology, FabricSettings settings) {
        this.topology = topology;
        this.settings = settings;
        hosts = topology.hosts();
        checkSize();
        firstPort = Assembly.firstPorts(topology);
        int ports = hosts;
        for (int node = hosts; node < firstPort.length; node++) {
            ports += topology.plan(node).ports();
        }
        linkOf = new int[ports];
        Arrays.fill(linkOf, NOWHERE);
        ends = new int[2 * topology.cables()];
        cables = new Cable[topology.cables()];
        for (int i = 0; i < topology.cables(); i++) {
            int node = topology.cable(i, 0);
            int other = topology.cable(i, 2);
            linkOf[firstPort[node] + topology.cable(i, 1)] = 2 * i;
            linkOf[firstPort[other] + topology.cable(i, 3)] = 2 * i + 1;
            ends[2 * i] = other;
            ends[2 * i + 1] = node;
            cables[i] = topology.cablePlan(i).over(settings.cable());
        }
        places = new SwitchPlace[topology.switches()];
        choosers = new RouteChooser[topology.switches()];
        Routing routing = settings.routing();
        requireOnePath(routing.spread());
        Clock clock = new Clock();
        for (int i = 0; i < places.length; i++) {
            places[i] = topology.place(hosts + i);
            int salt = EthernetSwitch.salt(settings, firstPort[hosts + i]);
            choosers[i] = RouteChooser.of(routing, salt, places[i], new Rates(hosts + i), clock);
        }
    }

    private static void requireOnePath(FabricKind.Spread spread) {
        boolean isOne =
                switch (spread) {
                    case ECMP, WEIGHTED, FIXED -> true;
                    case FLOWLET, ADAPTIVE, SPRAY -> false;
                };
        if (!isOne) {
            throw new IllegalArgumentException(
                    "packets that take several ways have no path as a flow: use ecmp, weighted or"
                            + " fixed instead of "
                            + spread.name().toLowerCase(Locale.ROOT));
        }
    }

    /// Of a switch without queues.
    private final class Rates implements RouteChooser.Egress {
        private final int node;

        Rates(int node) {
            this.node = node;
        }

        @Override
        public long waitingBytes(int port, long tag) {
            return 0;
        }

        @Override
        public long bitsPerSecond(int port) {
            return cables[linkOf[firstPort[node] + port] / 2].rate().bitsPerSecond();
        }
    }

    private void checkSize() {
        if (!(settings.kind() instanceof FabricKind.InfiniBand)) {
            return;
        }
        Assembly.requireLids(topology);
        for (int node = hosts; node < hosts + topology.switches(); node++) {
            Topology.SwitchPlan plan = topology.plan(node);
            if (!plan.isInner()) {
                Assembly.requireTablePorts(plan.ports());
            }
        }
    }

    public int links() {
        return ends.length;
    }

    /// What distinguishes a connection from others between the same hosts, by the numbers of its
    /// queue pairs.
    public static int entropy(int from, int to, int ownPair, int peerPair) {
        return Route.entropy(from, to, ownPair, peerPair);
    }

    /// Writes the links from host to host, and returns how many they are, or [#NOWHERE].
    ///
    /// @param into as long as the longest path
    public int links(int from, int to, int entropy, int[] into) {
        int count = 0;
        int link = linkOf[firstPort[from]];
        long tag = Tag.of(to, 0, entropy);
        while (link != NOWHERE && count < into.length) {
            into[count++] = link;
            int node = ends[link];
            if (node < hosts) {
                return node == to ? count : NOWHERE;
            }
            int port = port(node, tag);
            link = port < 0 ? NOWHERE : linkOf[firstPort[node] + port];
        }
        return NOWHERE;
    }

    private int port(int node, long tag) {
        SwitchPlace place = places[node - hosts];
        if (topology.plan(node).isInner()) {
            return place.ownPort(Tag.destination(tag));
        }
        return settings.kind() instanceof FabricKind.InfiniBand
                ? place.fixedPort(Tag.destination(tag))
                : place.port(tag, choosers[node - hosts]);
    }

    /// Bits per second that a link carries: its rate, and on InfiniBand no more than credits come
    /// back for.
    ///
    /// A packet's credits are back when it has gone to the switch, waited there, and left, and when
    /// the frame with them has come. A packet waits for half of another one in the switch and the
    /// frame for half of one of the other direction, and again as long for bursts. Credits that are
    /// not told yet are no use to the sender.
    public long bitsPerSecond(int link) {
        Cable cable = cables[link / 2];
        long rate = cable.rate().bitsPerSecond();
        if (!(settings.kind() instanceof FabricKind.InfiniBand kind) || isInner(link)) {
            return rate;
        }
        int mtu = settings.mtu();
        int wireBytes = settings.framing().wireBytes(PACKET + mtu, mtu, false);
        int packet = CreditCount.blocks(wireBytes);
        int update = Math.min(kind.updateBlocks(), kind.bufferBlocks() / 2);
        int packets = Math.max(1, (kind.bufferBlocks() - update) / packet);
        double packetPs = wireBytes * Byte.SIZE * psPerBit(link);
        boolean isStored = ends[link] < hosts || !kind.cutThrough();
        double roundPs = cable.delayPs() + latencyPs(link) + (isStored ? 3.5 : 2.5) * packetPs;
        double bits = packets * (double) wireBytes * Byte.SIZE;
        return Math.min(rate, (long) (bits / roundPs * PS_PER_SECOND));
    }

    /// Whether some link carries less than its rate, because credits come back too late.
    public boolean isHeldByCredits() {
        for (int link = 0; link < ends.length; link++) {
            if (bitsPerSecond(link) < cables[link / 2].rate().bitsPerSecond()) {
                return true;
            }
        }
        return false;
    }

    private boolean isInner(int link) {
        int node = ends[link] < hosts ? ends[link ^ 1] : ends[link];
        return topology.plan(node).isInner();
    }

    private boolean endsAtSwitch(int link) {
        int node = ends[link];
        return node >= hosts && !topology.plan(node).isInner();
    }

    /// Time on the cable of a link, and in the switch at its end.
    public long latencyPs(int link) {
        return cables[link / 2].delayPs() + (endsAtSwitch(link) ? settings.switchLatencyPs() : 0);
    }

    /// How much later the last bit of a packet leaves by the next link than it has arrived by this
    /// one, beside [#latencyPs]: a switch that stores and forwards has the whole packet first.
    public double storedPs(int link, int next, int wireBytes) {
        double own = psPerBit(link);
        double following = psPerBit(next);
        boolean isCut =
                topology.plan(ends[link]).isInner()
                        || (settings.kind() instanceof FabricKind.InfiniBand kind
                                && kind.cutThrough());
        if (isCut && following >= own) {
            return Math.min(wireBytes, Link.HEAD_BYTES) * Byte.SIZE * own;
        }
        return wireBytes * Byte.SIZE * Math.min(own, following);
    }

    /// Time of one bit on a link, without what credits cost.
    public double psPerBit(int link) {
        return PS_PER_SECOND / cables[link / 2].rate().bitsPerSecond();
    }

    /// The delays of a host's NIC.
    public NicProfile nic(int host) {
        return topology.isInner(host) ? NicProfile.IDEAL : settings.nic();
    }

    /// The switch or host that a link leaves from, and its neighbour.
    public String name(int link) {
        return node(ends[link ^ 1]) + " to " + node(ends[link]);
    }

    private String node(int node) {
        return node < hosts ? topology.hostName(node) : topology.plan(node).name();
    }
}
