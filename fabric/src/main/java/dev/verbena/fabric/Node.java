package dev.verbena.fabric;

/// The end of a link: a NIC or a switch.
abstract sealed class Node permits Nic, EthernetSwitch, InfiniBandSwitch {
    /// The sending half of a port, which also receives the [LinkFrame]s of the neighbour.
    abstract OutPort port(int number);

    /// A packet or a [LinkFrame] of the neighbour arrives: its last bit, or its first bits where
    /// the node [#cutsThrough].
    abstract void arrive(int handle, long tag, int port, long nowPs);

    /// The last bit of a packet that arrived at a port has left by another one.
    abstract void left(int ingress, int lane, int wireBytes, long nowPs);

    /// A port is about to choose a packet to send: the node can add packets to it first.
    void fill(OutPort port, long nowPs) {}

    /// The cable of a port is gone.
    void unplugged() {}

    /// The cable of a port is back.
    void plugged() {}

    /// Whether packets are forwarded before their last bit has arrived.
    boolean cutsThrough() {
        return false;
    }
}
