package dev.verbena.roce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// What one look at a socket brought: packets of one sender, all of one length but the last.
final class Arrival {
    /// The longest that UDP can be.
    static final int BYTES_MAX = 1 << 16;

    final MemorySegment bytes = Arena.ofAuto().allocate(BYTES_MAX, 64);

    /// Bytes of all packets.
    int length;

    /// Bytes of each packet but the last, which may be shorter.
    int packetLength;

    long sourceHigh;
    long sourceLow;
    int sourcePort;
    int trafficClass;
    int hopLimit;
}
