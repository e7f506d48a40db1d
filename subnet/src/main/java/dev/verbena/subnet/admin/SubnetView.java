package dev.verbena.subnet.admin;

import dev.verbena.subnet.state.Partition;
import dev.verbena.wire.Gid;
import java.lang.foreign.MemorySegment;

/// The fabric as subnet administration sees it. Nodes are vertices, a host port each one of its
/// own; ports are slots.
public interface SubnetView {
    int NONE = -1;

    /// IBA 4.1.1: the prefix of a subnet that was given no other.
    long DEFAULT_PREFIX = 0xFE80_0000_0000_0000L;

    int vertices();

    /// Whether a node is there, by what is known of links, and has a LID.
    boolean isPresent(int vertex);

    boolean isSwitch(int vertex);

    int lid(int vertex);

    /// LIDs of a node, from [#lid] on.
    int lids(int vertex);

    /// The port GUID; of a switch its node's.
    long guid(int vertex);

    /// The prefix of the subnet.
    long prefix();

    /// The vertex of a port of this subnet by its GID, or [#NONE]. The default prefix means every
    /// port too (IBA 4.1.1).
    default int vertexOf(Gid gid) {
        return gid.high() == prefix() || gid.high() == DEFAULT_PREFIX ? vertexOf(gid.low()) : NONE;
    }

    /// The router that leads to a GID of another subnet, or [#NONE].
    int router(Gid destination);

    /// The vertex of a port GUID, or [#NONE].
    int vertexOf(long guid);

    /// The vertex with a LID, or [#NONE].
    int vertexAt(int lid);

    /// The attribute NodeInfo, as it was read.
    MemorySegment nodeInfo(int vertex);

    /// 64 bytes.
    MemorySegment description(int vertex);

    /// The attribute SwitchInfo.
    MemorySegment switchInfo(int vertex);

    /// The first port: port 0 of a switch, the port of a host.
    int firstSlot(int vertex);

    /// The slot behind the last port.
    int endSlot(int vertex);

    int owner(int slot);

    /// The number of a port, as its node counts.
    int port(int slot);

    /// The port at the other end of the link, or [#NONE].
    int peer(int slot);

    /// The attribute PortInfo.
    MemorySegment portInfo(int slot);

    /// The port by which a node sends packets to a LID, or [#NONE].
    int next(int vertex, int lid);

    /// The service level of packets between two nodes, or [#NONE] if the routes leave it open.
    int level(int vertex, int other);

    /// The port as files of partitions mean it.
    Partition.Port member(int vertex);

    /// The LID of the manager.
    int ownLid();

    /// Multicast LIDs for which all switches have room.
    int groupsMax();

    /// Whether routes are written.
    boolean isUp();
}
