package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/// Memory that the device may move bytes from and to.
///
/// Closing it takes its remote key away at once. Memory from [ProtectionDomain#allocate] is freed
/// when the last work request on it is completed.
public interface MemoryRegion extends AutoCloseable {
    ProtectionDomain domain();

    /// The memory itself. A phantom region has none and answers with an [UnsupportedException].
    MemorySegment segment();

    boolean isPhantom();

    long length();

    Set<Access> rights();

    /// The address that a peer uses for the first byte.
    long address();

    /// The key that a peer must show, 32 unpredictable bits.
    int remoteKey();

    /// Gives the region a new remote key, and ends the old one; after an invalidation this is how
    /// it becomes reachable again. Returns the new key.
    int renew();

    /// A piece of the region, to be named in work requests.
    default LocalSlice slice(long offset, long length) {
        return new LocalSlice(this, offset, length);
    }

    /// The whole region, to be named in work requests.
    default LocalSlice slice() {
        return new LocalSlice(this, 0, length());
    }

    /// What a peer needs to reach the region: to be sent by any channel.
    default RemoteSlice remote() {
        return new RemoteSlice(address(), length(), remoteKey());
    }

    @Override
    void close();
}
