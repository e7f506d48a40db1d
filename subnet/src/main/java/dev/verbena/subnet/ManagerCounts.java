package dev.verbena.subnet;

import java.util.Map;

/// What a subnet manager has done since it was made.
///
/// @param isUp whether routes are written
/// @param fullSweeps rounds that looked at the whole subnet
/// @param partialSweeps rounds that looked at a part of it, or for changes
/// @param requests datagrams of subnet management that were sent, with retries
/// @param retries those that were sent again
/// @param failures requests without an answer, or that a node has refused
/// @param blocks blocks of forwarding tables that were written
/// @param verdicts how often datagrams that came ended in each
/// @param traps notices by number; [#OTHER_TRAP] for numbers that this manager does not know
/// @param questions to subnet administration
public record ManagerCounts(
        boolean isUp,
        long fullSweeps,
        long partialSweeps,
        long requests,
        long retries,
        long failures,
        long blocks,
        Map<SmVerdict, Long> verdicts,
        Map<Integer, Long> traps,
        Map<Question, Long> questions) {
    /// In place of a trap's number.
    public static final int OTHER_TRAP = -1;

    /// A kind of question to subnet administration.
    ///
    /// @param attribute such as `path`; `other` for those that no record has
    /// @param method such as `get_table`; `other` for those that ask and change nothing
    public record Question(String attribute, String method) {}

    public ManagerCounts {
        verdicts = Map.copyOf(verdicts);
        traps = Map.copyOf(traps);
        questions = Map.copyOf(questions);
    }
}
