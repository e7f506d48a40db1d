package dev.verbena.fabric;

/// A message from one host to another.
///
/// @param startPs when it is posted; after its triggers, if it has any
/// @param bytes of the message
/// @param after the number of the flow whose end starts it, or -1
public record Flow(int source, int destination, long startPs, long bytes, int after) {
    public Flow {
        if (source == destination || source < 0 || destination < 0) {
            throw new IllegalArgumentException(
                    "a flow from host %d to host %d: use two hosts".formatted(source, destination));
        }
        if (bytes < 1 || startPs < 0) {
            throw new IllegalArgumentException(
                    "a flow of %d bytes at %d ps".formatted(bytes, startPs));
        }
    }

    /// One that starts at the beginning.
    public static Flow of(int source, int destination, long bytes) {
        return new Flow(source, destination, 0, bytes, -1);
    }
}
