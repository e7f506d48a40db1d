package dev.verbena.fabric;

import org.jspecify.annotations.Nullable;

/// The end of a link: a NIC or a switch.
abstract sealed class Node permits Nic, EthernetSwitch, InfiniBandSwitch, InnerSwitch {
    /// Of a switch that reduces.
    private @Nullable Reducer reducer;

    /// The sending half of a port, which also receives the [LinkFrame]s of the neighbour.
    abstract OutPort port(int number);

    /// A packet or a [LinkFrame] of the neighbour arrives: its last bit, or its first bits where
    /// the node [#cutsThrough].
    abstract void arrive(int handle, long tag, int port, long nowPs);

    /// The last bit of a packet that arrived at a port has left by another one.
    abstract void left(int ingress, int lane, int wireBytes, long nowPs);

    /// Where a switch stands that has routes.
    @Nullable SwitchPlace place() {
        return null;
    }

    /// The cable of a port is gone.
    void unplugged() {}

    /// The cable of a port is back.
    void plugged() {}

    /// Whether packets are forwarded before their last bit has arrived.
    boolean cutsThrough() {
        return false;
    }

    final void reduceBy(Reducer made) {
        reducer = made;
    }

    final @Nullable Reducer reducer() {
        return reducer;
    }

    /// Lets a switch take a packet of a reduction.
    ///
    /// @param restPs how long after now its last bit arrives
    final void reduce(int handle, int port, long restPs, long nowPs) {
        if (reducer == null) {
            throw new AssertionError("only a fabric that reduces has such packets");
        }
        reducer.arrive(handle, port, restPs, nowPs);
    }
}
