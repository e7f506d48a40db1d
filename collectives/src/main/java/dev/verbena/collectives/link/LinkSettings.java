package dev.verbena.collectives.link;

import java.time.Duration;

/// Sizes and times of links.
///
/// @param shortBytes the longest message that is copied into a slot of the receiver; longer ones
///   wait for a grant, and are not copied
/// @param slots short messages under way on a link
/// @param grants long messages that a receiver grants ahead, for each lane
/// @param keepAlive after how long without an answer a silent peer is asked whether it lives; zero
///   for never
/// @param connectWithin how long a link may take to be made
public record LinkSettings(
        int shortBytes, int slots, int grants, Duration keepAlive, Duration connectWithin) {
    public static final LinkSettings DEFAULT =
            new LinkSettings(4096, 8, 8, Duration.ofSeconds(1), Duration.ofMinutes(5));

    /// For programs on machines: there a grant costs more than to copy 16 KiB twice.
    public static final LinkSettings LIVE =
            new LinkSettings(1 << 14, 8, 8, Duration.ofSeconds(1), Duration.ofMinutes(5));

    /// Checks that a greeting has room for the values.
    public LinkSettings {
        if (shortBytes < 64 || shortBytes > 1 << 16 || Integer.bitCount(shortBytes) != 1) {
            throw new IllegalArgumentException(
                    "short messages have a power of two of 64 to 65,536 bytes at most, not "
                            + shortBytes);
        }
        if (slots < 2 || slots > 64 || grants < 1 || grants > 64) {
            throw new IllegalArgumentException(
                    "a link has 2 to 64 slots and 1 to 64 grants, not %d and %d"
                            .formatted(slots, grants));
        }
    }

    public LinkSettings withKeepAlive(Duration value) {
        return new LinkSettings(shortBytes, slots, grants, value, connectWithin);
    }

    public LinkSettings withGrants(int value) {
        return new LinkSettings(shortBytes, slots, value, keepAlive, connectWithin);
    }
}
