package dev.verbena.subnet;

/// What a subnet manager has found and done, from one change or start to the time when all of the
/// subnet was in order again.
///
/// @param isFull whether the whole subnet was discovered
/// @param hosts host ports present
/// @param switches switches present
/// @param links links between ports
/// @param requests datagrams sent, with retries
/// @param retries datagrams sent again
/// @param failures requests without an answer, or that a node has refused
/// @param withoutLid nodes for which no LID was left
/// @param blocks blocks of forwarding tables that were written
/// @param startNs time at which it began
/// @param endNs time at which it ended
/// @param routing what was computed
public record SweepReport(
        boolean isFull,
        int hosts,
        int switches,
        int links,
        long requests,
        long retries,
        long failures,
        int withoutLid,
        long blocks,
        long startNs,
        long endNs,
        RoutingReport routing) {}
