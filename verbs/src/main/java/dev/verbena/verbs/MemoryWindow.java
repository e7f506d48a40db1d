package dev.verbena.verbs;

/// A remote key for a part of a region, which work requests give and take: see [SendBatch#bind].
///
/// Closing it takes its key away at once.
public interface MemoryWindow extends AutoCloseable {
    ProtectionDomain domain();

    WindowType type();

    /// The key of the bind that was asked for last; it opens nothing before that bind is done, and
    /// nothing after an invalidation. When that bind was given up or failed, the key of the one
    /// that is in force, if any is. A window never bound has a key too.
    ///
    /// It is known as soon as [SendBatch#bind] returns, so that a message behind the bind in the
    /// same batch can carry it to the peer. In software it is 32 unpredictable bits with each bind;
    /// a NIC changes eight of them.
    int remoteKey();

    @Override
    void close();
}
