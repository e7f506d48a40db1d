package dev.verbena.fabric.manage;

import dev.verbena.wire.mad.DirectedRoute;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.RouteStep;
import dev.verbena.wire.mad.Smp;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The management side of a fabric: an agent in each node, and the ways between them.
///
/// From the time it is made, no port is active and no table has an entry: a subnet manager, behind
/// a [ManagementPort], discovers the nodes, and writes both. Agents answer what belongs to them;
/// all else goes to the receiver of the host that it comes to.
public final class Subnet {
    /// IBA 4.1.3.
    static final int UNICAST_MAX = 0xBFFF;

    static final int PERMISSIVE = 0xFFFF;
    private static final int HOPS_MAX = 64;
    private static final int DEPTH_MAX = 16;

    private final Plane plane;
    private final NodeAgent[] agents;
    private final Map<Integer, MadReceiver> receivers = new HashMap<>();
    private final Map<Delivery, Long> counts = new EnumMap<>(Delivery.class);
    private final SubnetSettings settings;
    private @Nullable SetObserver observer;

    /// Sends that have not returned, of receivers that send.
    private int depth;

    public Subnet(Plane plane, SubnetSettings settings) {
        this.plane = plane;
        this.settings = settings;
        agents = new NodeAgent[plane.nodes()];
        for (int node = 0; node < agents.length; node++) {
            agents[node] = new NodeAgent(this, node);
        }
        for (NodeAgent agent : agents) {
            agent.begin();
        }
    }

    Plane plane() {
        return plane;
    }

    SubnetSettings settings() {
        return settings;
    }

    NodeAgent agent(int node) {
        return agents[node];
    }

    /// The access of a program on a host.
    public ManagementPort port(int host) {
        if (host < 0 || host >= plane.hosts()) {
            throw new IllegalArgumentException(
                    "no host %d: use 0 to %d".formatted(host, plane.hosts() - 1));
        }
        return new ManagementPort(this, host);
    }

    /// Shows all requests that change nodes to an observer.
    public void observe(SetObserver all) {
        observer = all;
    }

    void receiver(int host, MadReceiver receiver) {
        receivers.put(host, receiver);
    }

    /// How often datagrams arrived, and why others were dropped.
    public Map<Delivery, Long> counts() {
        return Map.copyOf(counts);
    }

    /// The number of the host with a name, or an identifier as netfiles have it; -1 if there is
    /// none.
    public int host(String called) {
        for (int host = 0; host < plane.hosts(); host++) {
            if (plane.name(host).equals(called) || nodeId(host).equals(called)) {
                return host;
            }
        }
        return -1;
    }

    /// The identifier of a node in netfiles: a letter and its GUID.
    public String nodeId(int node) {
        return "%s-%016x".formatted(isSwitch(node) ? "S" : "H", plane.nodeGuid(node));
    }

    /// LID of a node, as its manager has set it; 0 if it has none.
    public int lid(int node) {
        return agents[node].lid();
    }

    /// The GUID of a host's port, or of a switch.
    public long portGuid(int node) {
        return plane.portGuid(node);
    }

    /// A copy of the attribute PortInfo of a port, as its agent has it.
    public MemorySegment portInfo(int node, int port) {
        return MemorySegment.ofArray(new byte[PortTable.LENGTH])
                .copyFrom(agents[node].ports().info(port));
    }

    /// The state of a port: 1 down, 2 initialize, 3 armed, 4 active.
    public int portState(int node, int port) {
        return agents[node].ports().state(port);
    }

    /// The port by which a switch sends packets to a LID; 255: none.
    public int forwardingPort(int node, int lid) {
        SwitchTables tables = agents[node].tables();
        return tables == null ? SwitchTables.NOWHERE : tables.port(lid);
    }

    /// Hosts, and then switches.
    public int nodes() {
        return plane.nodes();
    }

    /// Physical ports of a node, which count from 1.
    public int ports(int node) {
        return plane.ports(node);
    }

    /// The node at the other end of a port's cable; -1 without one.
    public int peer(int node, int port) {
        return plane.peer(node, port);
    }

    /// The port at the other end.
    public int peerPort(int node, int port) {
        return plane.peerPort(node, port);
    }

    /// Whether a port has a link, whatever its state.
    public boolean isLinked(int node, int port) {
        return plane.peer(node, port) >= 0 && hasLink(node, port);
    }

    /// The cable of a port was plugged in or out.
    public void cableChanged(int node, int port) {
        linkChanged(node, port);
        int peer = plane.peer(node, port);
        if (peer >= 0) {
            linkChanged(peer, plane.peerPort(node, port));
        }
    }

    private void linkChanged(int node, int port) {
        agents[node].linkChanged(port);
    }

    /// Whether a port has a link: a cable, and no end that is disabled.
    boolean hasLink(int node, int port) {
        if (!plane.isPlugged(node, port) || agents[node].ports().isDisabled(port)) {
            return false;
        }
        return !agents[plane.peer(node, port)].ports().isDisabled(plane.peerPort(node, port));
    }

    Delivery send(int host, MadEnvelope envelope, MemorySegment mad) {
        if (mad.byteSize() != Mad.LENGTH_TOTAL
                || !Mad.check(mad, 0, Mad.LENGTH_TOTAL).isOk()
                || !isWellFormed(mad)) {
            return count(Delivery.MALFORMED);
        }
        if (depth == DEPTH_MAX) {
            return count(Delivery.LOOP);
        }
        depth++;
        try {
            int source = envelope.sourceLid() == 0 ? agents[host].lid() : envelope.sourceLid();
            return count(go(host, envelope.from(source), mad));
        } finally {
            depth--;
        }
    }

    private static boolean isWellFormed(MemorySegment mad) {
        return !ManagementClass.isSubnetManagement(Mad.managementClass(mad, 0))
                || Smp.check(mad, 0, Mad.LENGTH_TOTAL).isOk();
    }

    private Delivery count(Delivery outcome) {
        counts.merge(outcome, 1L, Long::sum);
        return outcome;
    }

    /// Sends a datagram on from the node that made it.
    Delivery go(int node, MadEnvelope envelope, MemorySegment mad) {
        if (!Smp.isDirected(mad, 0)) {
            return byLid(node, 0, envelope.destinationLid(), envelope, mad);
        }
        boolean isOut = DirectedRoute.DIRECTION.readInt(mad, 0) == 0;
        int first = (isOut ? DirectedRoute.DR_SLID : DirectedRoute.DR_DLID).readInt(mad, 0);
        if (first == PERMISSIVE) {
            return byPorts(node, envelope, mad);
        }
        // Only the switch with this LID begins to follow the ports that are named.
        int lid = isOut ? envelope.destinationLid() : first;
        End end = walk(node, 0, lid, true);
        return end.why().isOk() ? byPorts(end.node(), envelope, mad) : end.why();
    }

    private Delivery byPorts(int from, MadEnvelope envelope, MemorySegment mad) {
        int node = from;
        int in = 0;
        int out = RouteStep.start(mad, 0);
        while (out > 0) {
            if (out > plane.ports(node) || !hasLink(node, out)) {
                return Delivery.NO_LINK;
            }
            in = plane.peerPort(node, out);
            node = plane.peer(node, out);
            out = RouteStep.arrive(mad, 0, in, isSwitch(node));
        }
        if (out == RouteStep.BY_LID) {
            boolean isBack = DirectedRoute.DIRECTION.readInt(mad, 0) == 1;
            int lid = (isBack ? DirectedRoute.DR_SLID : DirectedRoute.DR_DLID).readInt(mad, 0);
            return byLid(node, in, lid, envelope, mad);
        }
        return out == RouteStep.HERE ? deliver(node, in, envelope, mad) : Delivery.NO_LINK;
    }

    private Delivery byLid(int from, int in, int lid, MadEnvelope envelope, MemorySegment mad) {
        boolean isManagement = ManagementClass.isSubnetManagement(Mad.managementClass(mad, 0));
        End end = walk(from, in, lid, isManagement);
        return end.why().isOk() ? deliver(end.node(), end.port(), envelope, mad) : end.why();
    }

    /// Where a walk has ended: at a node, reached by a port, or for a reason.
    private record End(int node, int port, Delivery why) {
        static End failed(Delivery why) {
            return new End(0, 0, why);
        }
    }

    /// Follows the tables to a LID.
    ///
    /// @param isManagement whether it goes in lane 15, which is open before ports are active
    private End walk(int from, int in, int lid, boolean isManagement) {
        int node = from;
        int port = in;
        for (int hop = 0; hop <= HOPS_MAX; hop++) {
            if (agents[node].ports().hasLid(lid)) {
                return new End(node, port, Delivery.ARRIVED);
            }
            int out = next(node, hop, lid);
            if (out < 1 || out > plane.ports(node)) {
                return End.failed(Delivery.NO_ROUTE);
            }
            if (!hasLink(node, out)) {
                return End.failed(Delivery.NO_LINK);
            }
            int far = plane.peerPort(node, out);
            int peer = plane.peer(node, out);
            boolean isOpen =
                    isManagement
                            || (agents[node].ports().isActive(out)
                                    && agents[peer].ports().isActive(far));
            if (!isOpen) {
                return End.failed(Delivery.NOT_ACTIVE);
            }
            node = peer;
            port = far;
        }
        return End.failed(Delivery.LOOP);
    }

    private int next(int node, int hop, int lid) {
        SwitchTables tables = agents[node].tables();
        if (tables != null) {
            return tables.port(lid);
        }
        // A host sends, and passes nothing on.
        return hop == 0 && lid > 0 && lid <= UNICAST_MAX ? 1 : 0;
    }

    boolean isSwitch(int node) {
        return node >= plane.hosts();
    }

    /// A datagram has come to the node that it is for.
    private Delivery deliver(int node, int port, MadEnvelope envelope, MemorySegment mad) {
        NodeAgent.Reply reply =
                isObserved(mad)
                        ? observed(node, port, envelope, mad)
                        : agents[node].handle(port, envelope, mad);
        return switch (reply) {
            case DONE -> Delivery.ARRIVED;
            case ANSWERED -> go(node, envelope.back(), mad);
            case KEY -> Delivery.KEY;
            case FOREIGN -> receive(node, envelope, mad);
        };
    }

    private boolean isObserved(MemorySegment mad) {
        return observer != null
                && Mad.method(mad, 0) == MadMethod.SET
                && ManagementClass.isSubnetManagement(Mad.managementClass(mad, 0));
    }

    private NodeAgent.Reply observed(int node, int port, MadEnvelope envelope, MemorySegment mad) {
        MemorySegment request = blank().copyFrom(mad);
        NodeAgent.Reply reply = agents[node].handle(port, envelope, mad);
        SetObserver current = observer;
        if (current != null && reply != NodeAgent.Reply.FOREIGN) {
            current.seen(node, request, reply == NodeAgent.Reply.ANSWERED);
        }
        return reply;
    }

    private Delivery receive(int node, MadEnvelope envelope, MemorySegment mad) {
        MadReceiver receiver = receivers.get(node);
        boolean isTaken = receiver != null && receiver.receive(envelope, mad);
        return isTaken ? Delivery.ARRIVED : Delivery.NO_RECEIVER;
    }

    boolean hasReceiver(int node) {
        return receivers.containsKey(node);
    }

    /// A datagram of zeros, for an agent's own.
    static MemorySegment blank() {
        return MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
    }

    /// Sends a trap.
    Delivery trap(int node, MemorySegment mad, int managerLid, int ownLid) {
        MadEnvelope envelope = new MadEnvelope(managerLid, ownLid, 0, 0);
        MemorySegment copy = blank();
        MemorySegment.copy(mad, 0, copy, 0, Mad.LENGTH_TOTAL);
        return count(go(node, envelope, copy));
    }
}
