package dev.verbena.fabric.manage;

import java.lang.foreign.MemorySegment;

/// Queue pairs 0 and 1 of a host, for a program that manages the subnet or asks about it.
public final class ManagementPort {
    private final Subnet subnet;
    private final int host;

    ManagementPort(Subnet subnet, int host) {
        this.subnet = subnet;
        this.host = host;
    }

    public int host() {
        return host;
    }

    /// Sends a datagram; it has arrived, and its answer too, when the call returns.
    ///
    /// @param mad 256 bytes, which are changed on the way
    /// @return why it was dropped, or that it was not
    public Delivery send(MadEnvelope envelope, MemorySegment mad) {
        return subnet.send(host, envelope, mad);
    }

    /// Sets the receiver of what comes to this host. It may answer in the call, but a program that
    /// goes on from answer to answer queues what comes: no more than 16 sends are within each
    /// other.
    public void receiver(MadReceiver receiver) {
        subnet.receiver(host, receiver);
    }

    /// Says whether a subnet manager runs here, as the capability mask of the port shows. A change
    /// is reported by a trap.
    public void isManager(boolean isManager) {
        subnet.agent(host).isManager(isManager);
    }

    /// The attribute NodeInfo of the host, 64 bytes.
    public void nodeInfo(MemorySegment to) {
        subnet.agent(host).nodeInfo(to, 0, 1);
    }

    /// The attribute PortInfo of the port, 64 bytes.
    public void portInfo(MemorySegment to) {
        MemorySegment.copy(subnet.agent(host).ports().info(1), 0, to, 0, PortTable.LENGTH);
    }

    /// A block of the partition table, 64 bytes.
    public void partitionKeys(MemorySegment to) {
        subnet.agent(host).partitions().read(1, 0, to, 0);
    }

    public int lid() {
        return subnet.agent(host).lid();
    }
}
