package dev.verbena.transport.control;

/// What a controller knows of its queue pair when it is made.
///
/// @param bitsPerSecond rate of the line, or the limit that the program has set where that is lower
/// @param mtu largest payload of a packet, in bytes
/// @param roundTripNs time to the farthest peer and back without other traffic
public record ControlFacts(long bitsPerSecond, int mtu, long roundTripNs) {
    public ControlFacts {
        if (bitsPerSecond < 1_000_000 || mtu < 1 || roundTripNs < 1) {
            throw new IllegalArgumentException(
                    ("a line of %,d b/s, packets of %,d bytes, %,d ns there and back: use more"
                                    + " than a megabit and than nothing")
                            .formatted(bitsPerSecond, mtu, roundTripNs));
        }
    }

    /// Bytes that the line carries in one round trip.
    public double bandwidthDelayBytes() {
        return bitsPerSecond / 8e9 * roundTripNs;
    }

    /// Time of so many bytes on the line.
    public double ns(double bytes) {
        return bytes * 8e9 / bitsPerSecond;
    }
}
