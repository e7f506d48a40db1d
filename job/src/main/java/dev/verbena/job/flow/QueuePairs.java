package dev.verbena.job.flow;

/// Numbers of queue pairs, from which switches compute the path of a connection by their hash.
@FunctionalInterface
public interface QueuePairs {
    /// The number that a rank has for its connection to a peer in a lane.
    int number(int rank, int peer, int lane);

    /// Numbers by chance, as NICs have them.
    static QueuePairs of(long seed) {
        return (rank, peer, lane) -> {
            long mixed = seed * 0x9E37_79B9_7F4A_7C15L + rank;
            mixed = (mixed ^ (mixed >>> 31)) * 0xBF58_476D_1CE4_E5B9L + peer * 64L + lane;
            mixed = (mixed ^ (mixed >>> 30)) * 0x94D0_49BB_1331_11EBL;
            return (int) (mixed >>> 40);
        };
    }
}
