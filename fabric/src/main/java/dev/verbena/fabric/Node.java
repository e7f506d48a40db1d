package dev.verbena.fabric;

/// What links end in: a NIC or a switch.
abstract sealed class Node permits Nic, EthernetSwitch, InfiniBandSwitch {
    /// A packet is there: with its last bit, or with its first ones where the node [#cutsThrough].
    abstract void arrive(Packet packet, int port, long nowPs);

    /// A packet that had come by a port has left by another one, with its last bit.
    abstract void left(int ingress, int lane, int bytes, long nowPs);

    /// A port is about to choose what to send: whoever has more for it than waits there adds it.
    void fill(OutPort port, long nowPs) {}

    /// Whether packets are handed on before they are there as a whole, when they come by this port
    /// from a link of this rate.
    boolean cutsThrough(int port, Rate rate) {
        return false;
    }
}
