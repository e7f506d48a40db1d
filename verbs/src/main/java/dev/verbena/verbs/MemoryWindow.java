package dev.verbena.verbs;

/// A remote key for a part of a region, which work requests give and take: see [SendBatch#bind].
///
/// Closing it takes its key away at once.
public interface MemoryWindow extends AutoCloseable {
    ProtectionDomain domain();

    WindowType type();

    /// The key of the bind that was asked for last, 32 unpredictable bits; it opens nothing before
    /// that bind is done, and nothing after an invalidation. A window never bound has one too.
    ///
    /// It is known as soon as [SendBatch#bind] returns, so that a message behind the bind in the
    /// same batch can carry it to the peer.
    int remoteKey();

    @Override
    void close();
}
