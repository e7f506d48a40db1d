package dev.verbena.virtual;

import dev.verbena.transport.carrier.InFlight;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A frame under way; used again and again.
final class Flight extends InFlight {
    /// Many share one segment, which keeps the checksum's buffers few.
    final MemorySegment segment;

    /// Where the BTH is, behind room for the longest headers in front of it: which of them there
    /// are is known only after the BTH was written.
    final long bthAt;

    /// Bytes of the frame in front of the BTH, and from there on.
    int headersLength;

    int transportLength;

    @Nullable Port to;

    Flight(MemorySegment segment, long at) {
        this.segment = segment;
        this.bthAt = at + Route.HEADERS_MAX;
    }

    @Override
    protected int receiver() {
        return Objects.requireNonNull(to, "a frame under way has a receiver").number();
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
}
