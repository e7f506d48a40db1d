package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/// Memory that the device may read and write.
///
/// Closing the region invalidates its remote key at once. Memory from [ProtectionDomain#allocate]
/// is freed when the last work request that uses it is complete.
public interface MemoryRegion extends AutoCloseable {
    ProtectionDomain domain();

    /// The memory itself.
    ///
    /// @throws UnsupportedException when the program cannot access the memory, for example memory
    ///   of another device
    MemorySegment segment();

    long length();

    Set<Access> rights();

    /// The address that a peer uses for the first byte.
    long address();

    /// The key that a peer must send, 32 unpredictable bits.
    int remoteKey();

    /// Replaces the remote key with a new one and returns it. After an invalidation, this call
    /// makes the region reachable again.
    int renew();

    /// A part of the region, for use in work requests.
    default LocalSlice slice(long offset, long length) {
        return new LocalSlice(this, offset, length);
    }

    /// The whole region, for use in work requests.
    default LocalSlice slice() {
        return new LocalSlice(this, 0, length());
    }

    /// The values that a peer needs to reach the region. Programs send them over any channel.
    default RemoteSlice remote() {
        return new RemoteSlice(address(), length(), remoteKey());
    }

    @Override
    void close();
}
