package dev.verbena.roce;

import dev.verbena.wire.Bth;
import dev.verbena.wire.Icrc;

/// The amount of data that is sent before a response is needed, so that a socket's receive buffer
/// does not overflow.
///
/// A peer's buffer is not known; it is assumed to be like the local one. The kernel charges the
/// size of the buffer that holds a packet: nearly the packet itself within a train, more than twice
/// its size for a single one. After a buffer was emptied, up to a quarter of it counts as full for
/// a while. Where a loss narrows the window, a small buffer is filled as trains fill it.
///
/// @param windowPackets packets under way and not acknowledged, of all queue pairs together
/// @param ackRequestEvery packets of a long message until an acknowledgement is asked for, and of
///   the answer to a READ that are asked for at once
/// @param burstBytes bytes of a queue pair in a row: one train
record Pace(int windowPackets, int ackRequestEvery, int burstBytes) {
    private static final int OVERHEAD = 768;
    private static final int PACKETS_MIN = 16;
    private static final int PACKETS_MAX = 1024;

    /// More in flight makes nothing faster, so that there is no need to count on trains.
    private static final int ENOUGH = 256;

    /// How often at least a window's worth is acknowledged.
    private static final int ACKS = 4;

    static Pace of(int receiveBufferBytes, int mtu, boolean countsOnTrains) {
        int usable = receiveBufferBytes / 4 * 3;
        int packetBytes = Bth.LENGTH + mtu + Icrc.LENGTH;
        int train = Math.min(Train.PACKETS_MAX, Train.BYTES_MAX / packetBytes);
        int single = usable / (2 * mtu + OVERHEAD);
        int inTrains = countsOnTrains ? usable / (train * packetBytes + OVERHEAD) * train : 0;
        int most = Math.max(single, Math.min(inTrains, ENOUGH));
        int packets = Math.clamp(most, PACKETS_MIN, PACKETS_MAX);
        // Whole trains are given room, so that whole trains are sent.
        int window = packets >= 2 * train ? packets / train * train : packets;
        // A small window is asked about seldom: an answer then makes room for much at once.
        int every = Math.max(window / ACKS, Math.min(train, window / 2));
        return new Pace(window, every > train ? every / train * train : every, train * packetBytes);
    }
}
