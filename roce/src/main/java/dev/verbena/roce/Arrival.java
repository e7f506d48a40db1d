package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The packets of one receive call: from one sender, all of one length except the last.
final class Arrival {
    /// The longest that UDP can be.
    static final int BYTES_MAX = 1 << 16;

    /// Longer than any single packet; a longer datagram is truncated, and then is not a packet.
    static final int ONE_MAX = 1 << 13;

    final MemorySegment bytes;

    /// @param bytesMax the most that can come at a time
    Arrival(int bytesMax) {
        bytes = Arena.ofAuto().allocate(bytesMax, 64);
    }

    /// Bytes of all packets.
    int length;

    /// Bytes of each packet but the last, which may be shorter.
    int packetLength;

    long sourceHigh;
    long sourceLow;
    int sourcePort;
    int trafficClass;
    int hopLimit;

    /// The group that it was sent to; null when that was the device's address.
    @Nullable Gid group;
}
