package dev.verbena.interop.matrix;

/// Under what a cell is played.
///
/// @param ip version of the Internet Protocol, 4 or 6
/// @param mtu payload of a packet at most
/// @param gso whether our side hands trains of packets to the kernel, which cuts them
record Conditions(int ip, int mtu, boolean gso, Faults faults) {
    boolean isFaulty() {
        return faults != Faults.NONE;
    }

    @Override
    public String toString() {
        return "IPv%d, MTU %d, GSO %s, faults: %s"
                .formatted(ip, mtu, gso ? "on" : "off", faults.title());
    }
}
