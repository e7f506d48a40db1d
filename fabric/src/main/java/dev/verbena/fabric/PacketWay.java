package dev.verbena.fabric;

import java.util.Arrays;

/// The ports by which the packets of a connection leave, from host to host: what tracing a route
/// with the connection's source port shows on Ethernet, and the forwarding tables on InfiniBand.
public final class PacketWay {
    private static final int[] UNKNOWN = {};

    private final Fabric fabric;
    private final Topology topology;

    /// By node and port, the number of the port in [Fabric#ports], and -1 where there is no cable.
    private final int[][] numbers;

    public PacketWay(Fabric fabric) {
        this.fabric = fabric;
        topology = fabric.topology();
        numbers = new int[topology.hosts() + topology.switches()][];
        for (int node = 0; node < numbers.length; node++) {
            int ports = node < topology.hosts() ? 1 : topology.plan(node).ports();
            numbers[node] = new int[ports];
            Arrays.fill(numbers[node], -1);
        }
        for (int i = 0; i < 2 * topology.cables(); i++) {
            numbers[node(i)][topology.cable(i / 2, (i & 1) * 2 + 1)] = i;
        }
    }

    private int node(int number) {
        return topology.cable(number / 2, (number & 1) * 2);
    }

    /// The numbers of the ports in [Fabric#ports], that of the host first; none where packets do
    /// not keep to one way, or where none leads there.
    ///
    /// @param pair number of the sender's queue pair
    /// @param peerPair that of the receiver
    public int[] ports(int from, int to, int pair, int peerPair) {
        int destination = fabric.lid(to) > 0 ? fabric.lid(to) : to;
        long tag = Tag.of(destination, 0, Route.entropy(from, destination, pair, peerPair));
        int[] found = new int[topology.switches() + 1];
        int port = numbers[from][0];
        for (int i = 0; i < found.length && port >= 0; i++) {
            found[i] = port;
            int next = node(port ^ 1);
            if (next == to) {
                return Arrays.copyOf(found, i + 1);
            }
            int out = out(next, tag);
            port = out < 0 || out >= numbers[next].length ? -1 : numbers[next][out];
        }
        return UNKNOWN;
    }

    private int out(int node, long tag) {
        return switch (fabric.node(node)) {
            case EthernetSwitch it -> it.out(tag);
            case InfiniBandSwitch it -> it.out(tag);
            case InnerSwitch _, Nic _ -> -1;
        };
    }
}
