package dev.verbena.interop.matrix;

/// Under what a cell is played.
///
/// @param ip version of the Internet Protocol, 4 or 6
/// @param mtu payload of a packet at most
/// @param gso whether our side hands trains of packets to the kernel, which cuts them
record Conditions(int ip, int mtu, boolean gso, Faults faults) {
    private static final int LARGE_MTU = 4096;

    boolean isFaulty() {
        return faults != Faults.NONE;
    }

    /// Whether cells are played under these conditions for every commit, and not by night alone:
    /// each version of IP, each MTU, GSO on and off, with no fault and with all faults, though not
    /// all combinations of them.
    boolean isQuick() {
        boolean isShort = mtu < LARGE_MTU;
        return switch (faults) {
            case NONE -> (ip == 4) == isShort && (gso || ip == 4);
            case ALL -> (ip == 6) == isShort && (gso || ip == 6);
            case LOSS, DUPLICATION, REORDERING -> false;
        };
    }

    @Override
    public String toString() {
        return "IPv%d, MTU %d, GSO %s, faults: %s"
                .formatted(ip, mtu, gso ? "on" : "off", faults.title());
    }
}
