package dev.verbena.fabric.manage;

import java.util.List;
import java.util.Map;

/// The network for whose nodes agents answer. Nodes are numbered, hosts first; physical ports count
/// from 1, as in management datagrams.
public interface Plane {
    /// Nodes, of which the first [#hosts] are hosts with one port.
    int nodes();

    int hosts();

    String name(int node);

    long nodeGuid(int node);

    long portGuid(int node);

    /// Whether a host is the port of a router, which leads to other subnets.
    boolean isRouter(int node);

    /// Physical ports of a node.
    int ports(int node);

    /// The node at the other end of a port's cable, -1 where there is no cable.
    int peer(int node, int port);

    /// The port at the other end.
    int peerPort(int node, int port);

    /// Whether a port has a cable that is plugged in.
    boolean isPlugged(int node, int port);

    /// Width and speed of a port.
    LinkSpeed speed(int node, int port);

    /// The largest payload of a packet, in bytes.
    int mtu();

    /// Virtual lanes for data, 1 to 15.
    int lanes();

    /// Puts the settings of a host's port in force.
    void host(int host, HostPort settings);

    /// Puts an entry of a switch's table in force.
    ///
    /// @param port 0: packets to the LID are dropped
    void forward(int node, int lid, int port);

    /// Puts the ports of a multicast group at a switch in force.
    ///
    /// @param lid of the group
    void forwardGroup(int node, int lid, List<Integer> ports);

    /// Puts the lanes of service levels in force, for packets that come by one port and leave by
    /// another.
    ///
    /// @param in 0: packets of the node itself
    /// @param lanes four bits for each service level, the lowest first; packets for lane 15 are
    ///   dropped
    void levels(int node, int in, int out, long lanes);

    /// Puts the arbitration tables of a port in force.
    ///
    /// @param highLimit of PortInfo: what the high table may send while the low one waits
    void arbitration(int node, int port, List<Turn> low, List<Turn> high, int highLimit);

    /// Counters of a port by the names of `perfquery`; those that are 0 may be left out.
    Map<String, Long> counters(int node, int port);

    long nowNs();

    /// Runs an action at a time that has not passed.
    void at(long timeNs, Runnable action);

    /// What a subnet manager gives the port of a host.
    ///
    /// @param state 1 down, 2 initialize, 3 armed, 4 active
    record HostPort(int state, int lid, int lidMask, long gidPrefix, List<Integer> partitionKeys) {}

    /// An entry of an arbitration table.
    ///
    /// @param weight in units of 64 bytes; 0: the entry is passed over
    record Turn(int lane, int weight) {}

    /// Width and speed by the codes of PortInfo.
    ///
    /// @param width 1: 1x, 2: 4x, 4: 8x, 8: 12x, 16: 2x
    /// @param speed 1: SDR, 2: DDR, 4: QDR
    /// @param extended 1: FDR, 2: EDR, 4: HDR, 8: NDR; 0: none of these
    record LinkSpeed(int width, int speed, int extended) {}
}
