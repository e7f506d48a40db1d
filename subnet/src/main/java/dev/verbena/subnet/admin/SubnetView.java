package dev.verbena.subnet.admin;

import dev.verbena.subnet.state.Partition;
import java.lang.foreign.MemorySegment;

/// The fabric as subnet administration sees it. Nodes are vertices, a host port each one of its
/// own; ports are slots.
public interface SubnetView {
    int NONE = -1;

    int vertices();

    /// Whether a node is there, by what is known of links, and has a LID.
    boolean isPresent(int vertex);

    boolean isSwitch(int vertex);

    int lid(int vertex);

    /// The port GUID; of a switch its node's.
    long guid(int vertex);

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

    /// The port as files of partitions mean it.
    Partition.Port member(int vertex);

    /// The LID of the manager.
    int ownLid();

    /// Multicast LIDs for which all switches have room.
    int groupsMax();

    /// Whether routes are written.
    boolean isUp();
}
