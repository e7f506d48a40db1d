package dev.verbena.interop.matrix;

/// What became of a cell that was played under some conditions.
///
/// @param outcome `green`, `differs` (green, with a known difference of the peer) or `red`
/// @param reason of what is not plainly green
/// @param packets that our side sent or received
/// @param retransmissions request packets that our side sent again
/// @param duplicates request packets that our side had seen before
/// @param lost packets that the cable lost on purpose
record Result(
        String cell,
        String requester,
        String responder,
        int ip,
        int mtu,
        String gso,
        String faults,
        String outcome,
        String reason,
        long packets,
        long retransmissions,
        long duplicates,
        long lost,
        long ms) {
    static final String GREEN = "green";
    static final String DIFFERS = "differs";
    static final String RED = "red";

    boolean isRed() {
        return outcome.equals(RED);
    }
}
