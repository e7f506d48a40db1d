package dev.verbena.collectives.link;

/// Learns that peers have long messages, so that their memory may change.
@FunctionalInterface
public interface Acks {
    /// A peer has a long message.
    ///
    /// @param send number that was given to [Link#sendLong]
    void acknowledged(int lane, int send);
}
