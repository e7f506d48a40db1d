package dev.verbena.fabric;

/// A message from one host to another.
///
/// @param startPs time at which it is posted, unless the ends of other flows start it
/// @param bytes length of the message
/// @param after the ends of other flows that start it, or [After#NOTHING]
public record Flow(int source, int destination, long startPs, long bytes, After after) {
    public Flow {
        if (source == destination || source < 0 || destination < 0) {
            throw new IllegalArgumentException(
                    "a flow from host %d to host %d: use two hosts".formatted(source, destination));
        }
        if (bytes < 1 || startPs < 0) {
            throw new IllegalArgumentException(
                    "a flow of %d bytes at %d ps: use 1 or more, and 0 or more"
                            .formatted(bytes, startPs));
        }
    }

    /// A flow that starts at time 0.
    public static Flow of(int source, int destination, long bytes) {
        return new Flow(source, destination, 0, bytes, After.NOTHING);
    }

    /// The same flow at another time.
    public Flow startingAt(long timePs) {
        return new Flow(source, destination, timePs, bytes, after);
    }

    /// The same flow, started by the ends of others.
    public Flow startingAfter(After others) {
        return new Flow(source, destination, startPs, bytes, others);
    }
}
