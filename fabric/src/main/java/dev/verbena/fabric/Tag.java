package dev.verbena.fabric;

/// The fields of a packet that links and switches need, in one word that is passed along with it.
/// With a hundred thousand packets in flight, a switch would otherwise wait for memory at every
/// packet.
///
/// ```text
///   bits  62 … 43      42 … 29     28 … 25  24 … 15  14 … 0
///         destination  wire bytes  lane     ingress  entropy, or the service level
/// ```
///
/// Lane and ingress are those of the packet's arrival at the current node.
final class Tag {
    static final int DESTINATIONS_MAX = 1 << 20;
    static final int PORTS_MAX = 1 << 10;
    static final int WIRE_BYTES_MAX = (1 << 14) - 1;
    static final int ENTROPY_MASK = (1 << 15) - 1;

    private static final int INGRESS = 15;
    private static final int LANE = 25;
    private static final int WIRE = 29;
    private static final int DESTINATION = 43;
    private static final long LANE_MASK = 0xFL << LANE;
    private static final long INGRESS_MASK = (PORTS_MAX - 1L) << INGRESS;

    private Tag() {}

    static long of(int destination, int wireBytes, int entropy) {
        return ((long) destination << DESTINATION)
                | ((long) wireBytes << WIRE)
                | (entropy & ENTROPY_MASK);
    }

    static int destination(long tag) {
        return (int) (tag >>> DESTINATION);
    }

    static int wireBytes(long tag) {
        return (int) (tag >>> WIRE) & WIRE_BYTES_MAX;
    }

    static int lane(long tag) {
        return (int) (tag >>> LANE) & 0xF;
    }

    static int ingress(long tag) {
        return (int) (tag >>> INGRESS) & (PORTS_MAX - 1);
    }

    static int entropy(long tag) {
        return (int) tag & ENTROPY_MASK;
    }

    static long withLane(long tag, int lane) {
        return (tag & ~LANE_MASK) | ((long) lane << LANE);
    }

    static long withIngress(long tag, int port) {
        return (tag & ~INGRESS_MASK) | ((long) port << INGRESS);
    }
}
