package dev.verbena.fabric;

import java.util.Formatter;
import java.util.Locale;

/// Writes a topology as a netfile.
final class NetfileText {
    /// GUIDs of no maker: locally administered, the node's number in the lower half. The lowest
    /// byte is left to ports: programs take the GUID of a port to be that of its node and its
    /// number.
    private static final long GUID = 0x0200_0000_0000_0000L;

    private final Topology topology;

    /// By node and port: the other node and its port, each plus one; 0 for none.
    private final int[][] ends;

    /// By node and port.
    private final int[][] cables;

    NetfileText(Topology topology) {
        this.topology = topology;
        int nodes = topology.hosts() + topology.switches();
        ends = new int[nodes][];
        cables = new int[nodes][];
        for (int i = 0; i < nodes; i++) {
            ends[i] = new int[2 * ports(i)];
            cables[i] = new int[ports(i)];
        }
        for (int i = 0; i < topology.cables(); i++) {
            int node = topology.cable(i, 0);
            int port = topology.cable(i, 1);
            int other = topology.cable(i, 2);
            int otherPort = topology.cable(i, 3);
            plug(node, port, other, otherPort);
            plug(other, otherPort, node, port);
            cables[node][port] = i;
            cables[other][otherPort] = i;
        }
    }

    private void plug(int node, int port, int other, int otherPort) {
        ends[node][2 * port] = other + 1;
        ends[node][2 * port + 1] = otherPort + 1;
    }

    private boolean isHost(int node) {
        return node < topology.hosts();
    }

    private int ports(int node) {
        return isHost(node) ? 1 : topology.plan(node).ports();
    }

    String print() {
        StringBuilder text = new StringBuilder();
        try (Formatter out = new Formatter(text, Locale.ROOT)) {
            out.format("# %s\n", topology);
            for (int i = topology.hosts(); i < ends.length; i++) {
                node(out, i, "Switch");
            }
            for (int i = 0; i < topology.hosts(); i++) {
                node(out, i, "Ca");
            }
        }
        return text.toString();
    }

    private void node(Formatter out, int node, String kind) {
        String key = isHost(node) ? "ca" : "switch";
        out.format("\n%sguid=0x%016x\n", key, guid(node));
        out.format("%s\t%d \"%s\"\t\t# \"%s\"\n", kind, ports(node), id(node), name(node));
        for (int port = 0; port < ports(node); port++) {
            int other = ends[node][2 * port] - 1;
            if (other >= 0) {
                int otherPort = ends[node][2 * port + 1];
                out.format(
                        "[%d]\t\"%s\"[%d]\t\t# \"%s\"%s\n",
                        port + 1, id(other), otherPort, name(other), cable(node, port));
            }
        }
    }

    private String cable(int node, int port) {
        CablePlan plan = topology.cablePlan(cables[node][port]);
        return plan.equals(CablePlan.USUAL) ? "" : " " + plan;
    }

    private String id(int node) {
        return "%s-%016x".formatted(isHost(node) ? "H" : "S", guid(node));
    }

    static long guid(int node) {
        return GUID | (node + 1L) << 8;
    }

    private String name(int node) {
        return isHost(node) ? topology.hostName(node) : topology.plan(node).name();
    }
}
