package dev.verbena.fabric;

/// What links end in: a NIC or a switch.
abstract sealed class Node permits Nic, EthernetSwitch, InfiniBandSwitch {
    /// The sending half of a port, which also hears the [Frame]s of the neighbour.
    abstract OutPort port(int number);

    /// A packet is there, with its last bit, or with its first ones where the node [#cutsThrough];
    /// or a [Frame] of the neighbour.
    abstract void arrive(int handle, long tag, int port, long nowPs);

    /// A packet that had come by a port has left by another one, with its last bit.
    abstract void left(int ingress, int lane, int wireBytes, long nowPs);

    /// A port is about to choose what to send: whoever has more for it than waits there adds it.
    void fill(OutPort port, long nowPs) {}

    /// Whether packets are handed on before they are there as a whole.
    boolean cutsThrough() {
        return false;
    }
}
