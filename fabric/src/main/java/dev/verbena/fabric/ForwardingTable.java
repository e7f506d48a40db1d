package dev.verbena.fabric;

import java.util.Arrays;

/// A switch's linear forwarding table (IBA 14.2.5.6): a port for each LID.
final class ForwardingTable {
    /// Packets to such a LID are dropped.
    static final int NOWHERE = 255;

    /// Packets to such a LID take the best port of a group.
    static final int GROUP = 254;

    /// A table holds numbers of a byte, two of which are no ports with cables (IBA 14.2.5.6).
    static final int PORTS_MAX = 254;

    private byte[] ports = new byte[0];

    void set(int lid, int port) {
        if (lid >= ports.length) {
            int before = ports.length;
            ports = Arrays.copyOf(ports, Math.max(lid + 1, before * 2));
            Arrays.fill(ports, before, ports.length, (byte) NOWHERE);
        }
        ports[lid] = (byte) port;
    }

    void clear() {
        ports = new byte[0];
    }

    int port(int lid) {
        return lid < ports.length ? ports[lid] & 0xFF : NOWHERE;
    }
}
