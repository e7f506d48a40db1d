package dev.verbena.virtual;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A frame under way; used again and again, see [FlightPool].
final class Flight {
    /// Where the frame is: many share one segment, which keeps the checksum's buffers few.
    final MemorySegment segment;

    final long at;
    int length;

    @Nullable Port to;

    // What decides the order of arrival. The sequence is the receiver's own, so that the order does
    // not depend on anything but time and what was sent.
    long timeNs;
    int portNumber;
    long sequence;

    Flight(MemorySegment segment, long at) {
        this.segment = segment;
        this.at = at;
    }

    void copyFrom(Flight other) {
        length = other.length;
        to = other.to;
        MemorySegment.copy(other.segment, other.at, segment, at, length);
    }

    boolean isBefore(Flight other) {
        if (timeNs != other.timeNs) {
            return timeNs < other.timeNs;
        }
        if (portNumber != other.portNumber) {
            return portNumber < other.portNumber;
        }
        return sequence < other.sequence;
    }
}
