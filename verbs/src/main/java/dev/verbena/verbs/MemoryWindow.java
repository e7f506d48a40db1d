package dev.verbena.verbs;

/// A remote key for a part of a region. Work requests bind and invalidate it; see [SendBatch#bind].
///
/// Closing the window invalidates its key at once.
public interface MemoryWindow extends AutoCloseable {
    ProtectionDomain domain();

    WindowType type();

    /// The key of the most recent bind. The key is valid from the end of that bind until an
    /// invalidation. If that bind was cancelled or failed, this is the key of the bind that is in
    /// force, if there is one. A window that was never bound also has a key.
    ///
    /// The key is known as soon as [SendBatch#bind] returns, so a message after the bind in the
    /// same batch can carry it to the peer. In software it has 32 unpredictable bits for each bind;
    /// a NIC changes eight bits.
    int remoteKey();

    @Override
    void close();
}
