package dev.verbena.virtual;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A frame under way; used again and again, see [FlightPool].
final class Flight {
    /// Many share one segment, which keeps the checksum's buffers few.
    final MemorySegment segment;

    /// Where the BTH is, behind room for the longest headers in front of it: which of them there
    /// are is known only after the BTH was written.
    final long bthAt;

    /// Bytes of the frame in front of the BTH, and from there on.
    int headersLength;

    int transportLength;

    @Nullable Port to;

    // The order of arrival. Each receiver has its own sequence, so the order depends only on the
    // time and the packets sent.
    long timeNs;
    int portNumber;
    long sequence;

    Flight(MemorySegment segment, long at) {
        this.segment = segment;
        this.bthAt = at + Route.HEADERS_MAX;
    }

    /// Where the frame begins.
    long at() {
        return bthAt - headersLength;
    }

    int length() {
        return headersLength + transportLength;
    }

    void copyFrom(Flight other) {
        headersLength = other.headersLength;
        transportLength = other.transportLength;
        MemorySegment.copy(other.segment, other.at(), segment, at(), length());
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
