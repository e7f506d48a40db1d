package dev.verbena.roce;

/// How much is sent before an answer is waited for, so that a socket's receive buffer does not run
/// over.
///
/// A peer's buffer is not known; it is taken to be like ours. What the kernel charges for a packet
/// is what it keeps it in: nearly the packet itself within a train, up to twice its size and some
/// for one alone.
///
/// @param windowPackets packets under way and not acknowledged
/// @param ackRequestEvery packets of a long message until an acknowledgement is asked for
/// @param burstBytes bytes of a queue pair in a row: what one train takes
record Pace(int windowPackets, int ackRequestEvery, int burstBytes) {
    private static final int OVERHEAD = 768;
    private static final int PACKETS_MIN = 16;
    private static final int PACKETS_MAX = 1024;
    private static final int TRAIN_BYTES = 61_440;

    static Pace of(int receiveBufferBytes, int mtu) {
        int packets = receiveBufferBytes / (2 * mtu + OVERHEAD);
        int window = Math.clamp(packets, PACKETS_MIN, PACKETS_MAX);
        return new Pace(window, Math.max(1, window / 4), TRAIN_BYTES);
    }
}
