package dev.verbena.transport.carrier;

import dev.verbena.verbs.Address;
import java.util.Arrays;
import java.util.HexFormat;

/// The Ethernet priority of RoCE packets, which pauses and queues use. A NIC trusts either the
/// service level that the program chose (the PCP of a VLAN tag), or the DSCP.
public final class PriorityMap {
    private static final int PRIORITIES = 8;
    private static final int DSCPS = 64;
    private static final int DSCP_SHIFT = 2;

    /// The service level is the priority.
    public static final PriorityMap BY_SERVICE_LEVEL = new PriorityMap(new byte[0]);

    /// Eight successive values of the DSCP share one priority: 24 to 31 have 3, for example. This
    /// is the default of NICs and switches.
    public static final PriorityMap BY_DSCP = byDscp();

    private final byte[] byDscp;

    private PriorityMap(byte[] byDscp) {
        this.byDscp = byDscp;
    }

    private static PriorityMap byDscp() {
        byte[] map = new byte[DSCPS];
        for (int dscp = 0; dscp < DSCPS; dscp++) {
            map[dscp] = (byte) (dscp / PRIORITIES);
        }
        return new PriorityMap(map);
    }

    /// The same, but for one value of the DSCP.
    public PriorityMap with(int dscp, int priority) {
        if (dscp < 0 || dscp >= DSCPS || priority < 0 || priority >= PRIORITIES) {
            throw new IllegalArgumentException(
                    "dscp %d to priority %d: use 0 to 63 and 0 to 7".formatted(dscp, priority));
        }
        byte[] map = byDscp.length == 0 ? BY_DSCP.byDscp.clone() : byDscp.clone();
        map[dscp] = (byte) priority;
        return new PriorityMap(map);
    }

    /// The priority of packets to an address.
    public int of(Address address) {
        return byDscp.length == 0
                ? address.serviceLevel() & (PRIORITIES - 1)
                : byDscp[(address.trafficClass() >> DSCP_SHIFT) & (DSCPS - 1)];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PriorityMap map && Arrays.equals(byDscp, map.byDscp);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(byDscp);
    }

    @Override
    public String toString() {
        return byDscp.length == 0
                ? "by service level"
                : "by dscp " + HexFormat.of().formatHex(byDscp);
    }
}
