package dev.verbena.subnet;

import dev.verbena.fabric.manage.Plane;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/// A network of any shape for the agents of simulated nodes, without a data plane: cables that are
/// plugged in or not, and a clock that tests set.
final class PlainPlane implements Plane {
    static final int PORTS_MAX = 40;

    private record Action(long timeNs, long number, Runnable what) {}

    final int hosts;
    private final List<Integer> ports = new ArrayList<>();
    private final List<int[]> peers = new ArrayList<>();
    private final List<int[]> peerPorts = new ArrayList<>();

    /// Node, port, node, port of each cable.
    final List<int[]> cables = new ArrayList<>();

    private final List<boolean[]> plugged = new ArrayList<>();
    private final Set<List<Integer>> slow = new HashSet<>();

    /// By node and multicast LID.
    private final Map<List<Integer>, List<Integer>> groups = new HashMap<>();

    private final PriorityQueue<Action> actions =
            new PriorityQueue<>(
                    Comparator.comparingLong(Action::timeNs).thenComparingLong(Action::number));
    private long numbers;
    private long nowNs;
    private int lanes = 1;
    private final Set<Integer> routers = new HashSet<>();
    private long guids = 0x5642_0000_0000_0000L;

    /// By node, port in and port out; four bits for each service level.
    final Map<List<Integer>, Long> levels = new HashMap<>();

    /// By node and port.
    final Map<List<Integer>, List<Turn>> turns = new HashMap<>();

    PlainPlane(int hosts) {
        this.hosts = hosts;
        for (int host = 0; host < hosts; host++) {
            add(1);
        }
    }

    /// Adds a switch and returns its number as a node.
    int addSwitch(int portCount) {
        return add(portCount);
    }

    private int add(int portCount) {
        ports.add(portCount);
        int[] none = new int[portCount + 1];
        Arrays.fill(none, -1);
        peers.add(none);
        peerPorts.add(new int[portCount + 1]);
        plugged.add(new boolean[portCount + 1]);
        return ports.size() - 1;
    }

    /// Connects two ports, counted from 1, and returns the number of the cable.
    int connect(int node, int port, int other, int otherPort) {
        peers.get(node)[port] = other;
        peerPorts.get(node)[port] = otherPort;
        peers.get(other)[otherPort] = node;
        peerPorts.get(other)[otherPort] = port;
        plugged.get(node)[port] = true;
        plugged.get(other)[otherPort] = true;
        cables.add(new int[] {node, port, other, otherPort});
        return cables.size() - 1;
    }

    /// Gives a link the least rate that there is.
    void slow(int node, int port) {
        slow.add(List.of(node, port));
        slow.add(List.of(peer(node, port), peerPort(node, port)));
    }

    /// The ports to which a switch sends packets of a group.
    List<Integer> groupPorts(int node, int lid) {
        return groups.getOrDefault(List.of(node, lid), List.of());
    }

    void plug(int cable, boolean isIn) {
        int[] ends = cables.get(cable);
        plugged.get(ends[0])[ends[1]] = isIn;
        plugged.get(ends[2])[ends[3]] = isIn;
    }

    boolean isIn(int cable) {
        int[] ends = cables.get(cable);
        return plugged.get(ends[0])[ends[1]];
    }

    /// Lets time pass, with what is due.
    void advance(long untilNs) {
        while (!actions.isEmpty() && actions.peek().timeNs <= untilNs) {
            Action next = actions.remove();
            nowNs = Math.max(nowNs, next.timeNs);
            next.what.run();
        }
        nowNs = Math.max(nowNs, untilNs);
    }

    long nextActionNs() {
        Action next = actions.peek();
        return next == null ? Long.MAX_VALUE : next.timeNs;
    }

    @Override
    public int nodes() {
        return ports.size();
    }

    @Override
    public int hosts() {
        return hosts;
    }

    @Override
    public String name(int node) {
        return (node < hosts ? "host " : "switch ") + node;
    }

    /// Makes a host the port of a router, before agents are there.
    void router(int host) {
        routers.add(host);
    }

    @Override
    public boolean isRouter(int node) {
        return routers.contains(node);
    }

    /// Gives nodes other GUIDs than those of other networks.
    void guidsFrom(long first) {
        guids = first;
    }

    @Override
    public long nodeGuid(int node) {
        return guids + (node + 1L) * 0x100;
    }

    @Override
    public long portGuid(int node) {
        return node < hosts ? nodeGuid(node) + 1 : nodeGuid(node);
    }

    @Override
    public int ports(int node) {
        return ports.get(node);
    }

    @Override
    public int peer(int node, int port) {
        return peers.get(node)[port];
    }

    @Override
    public int peerPort(int node, int port) {
        return peerPorts.get(node)[port];
    }

    @Override
    public boolean isPlugged(int node, int port) {
        return plugged.get(node)[port];
    }

    @Override
    public LinkSpeed speed(int node, int port) {
        return slow.contains(List.of(node, port)) ? new LinkSpeed(1, 1, 0) : new LinkSpeed(2, 4, 4);
    }

    @Override
    public int mtu() {
        return 4096;
    }

    /// Gives all links virtual lanes, before agents are there.
    PlainPlane lanes(int count) {
        lanes = count;
        return this;
    }

    @Override
    public int lanes() {
        return lanes;
    }

    @Override
    public void levels(int node, int in, int out, long packed) {
        levels.put(List.of(node, in, out), packed);
    }

    /// The lane in which a packet leaves a node.
    int lane(int node, int in, int out, int level) {
        Long packed = lanes == 1 ? null : levels.get(List.of(node, in, out));
        return packed == null ? level % lanes : (int) (packed >>> (4 * level)) & 0xF;
    }

    @Override
    public void arbitration(int node, int port, List<Turn> low, List<Turn> high, int highLimit) {
        turns.put(List.of(node, port), List.copyOf(low));
    }

    @Override
    public void host(int host, HostPort settings) {}

    @Override
    public void forward(int node, int lid, int port) {}

    @Override
    public void forwardGroup(int node, int lid, List<Integer> list) {
        groups.put(List.of(node, lid), List.copyOf(list));
    }

    @Override
    public Map<String, Long> counters(int node, int port) {
        return Map.of();
    }

    @Override
    public long nowNs() {
        return nowNs;
    }

    @Override
    public void at(long timeNs, Runnable action) {
        actions.add(new Action(Math.max(timeNs, nowNs), numbers++, action));
    }
}
