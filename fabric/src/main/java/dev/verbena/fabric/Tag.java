package dev.verbena.fabric;

/// What links and switches need to know of a packet, in one word that travels beside it: a switch
/// with a hundred thousand packets under way would wait for memory at every one that it looked
/// into.
///
/// ```text
///   bits  62 … 43      42 … 29     28 … 25  24 … 15  14 … 0
///         destination  wire bytes  lane     ingress  entropy, or the service level
/// ```
///
/// Lane and ingress are those by which it came to the node that holds it.
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
