package dev.verbena.job.replay;

/// What one rank did.
///
/// @param job index of its job
/// @param rank in its job
/// @param endPs when its last node finished, from the start of the job
/// @param calcPs time in which it calculated, on one unit or more
/// @param messages that it sent
/// @param sentBytes of these
/// @param collectives in which it took part
public record RankTimes(
        int job,
        int rank,
        long endPs,
        long calcPs,
        long messages,
        long sentBytes,
        long collectives) {
    /// Time in which it did nothing but wait for messages.
    public long waitPs() {
        return endPs - calcPs;
    }
}
