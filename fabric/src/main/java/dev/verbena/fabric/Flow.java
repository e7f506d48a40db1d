package dev.verbena.fabric;

/// A message from one host to another, sent once or again and again.
///
/// @param startPs time at which it is posted, unless the ends of other flows start it
/// @param bytes length of the message
/// @param after the ends of other flows that start it, or [After#NOTHING]
/// @param untilPs time until which it is posted again whenever it is over, or [#ONCE]
/// @param level its traffic class: the priority on Ethernet, the service level on InfiniBand
public record Flow(
        int source,
        int destination,
        long startPs,
        long bytes,
        After after,
        long untilPs,
        int level) {
    /// Instead of a time: the message is sent once.
    public static final long ONCE = 0;

    private static final int LEVELS = 8;

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
        if (untilPs != ONCE && untilPs <= startPs) {
            throw new IllegalArgumentException(
                    "a flow from %d to %d ps: it ends after it has started"
                            .formatted(startPs, untilPs));
        }
        if (level < 0 || level >= LEVELS) {
            throw new IllegalArgumentException(
                    "a flow of class %d: use 0 to %d".formatted(level, LEVELS - 1));
        }
    }

    /// A flow that starts at time 0.
    public static Flow of(int source, int destination, long bytes) {
        return new Flow(source, destination, 0, bytes, After.NOTHING, ONCE, 0);
    }

    /// The same flow at another time.
    public Flow startingAt(long timePs) {
        return new Flow(source, destination, timePs, bytes, after, untilPs, level);
    }

    /// The same flow, started by the ends of others.
    public Flow startingAfter(After others) {
        return new Flow(source, destination, startPs, bytes, others, untilPs, level);
    }

    /// The same flow, posted again until a time.
    public Flow repeatedUntil(long timePs) {
        return new Flow(source, destination, startPs, bytes, after, timePs, level);
    }

    /// The same flow in a traffic class.
    public Flow inClass(int given) {
        return new Flow(source, destination, startPs, bytes, after, untilPs, given);
    }
}
