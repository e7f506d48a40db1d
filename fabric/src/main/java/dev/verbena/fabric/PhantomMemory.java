package dev.verbena.fabric;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;

/// Memory regions that have a length but no memory: only the number of bytes is transmitted.
///
/// They make large simulations possible: a gigabyte takes no memory and no copy, and all else is as
/// with real memory: packets, times, rights, keys, completions. There are no bytes:
/// [MemoryRegion#segment] refuses. Bytes that a peer writes into such a region are dropped, and a
/// transfer out of it leaves the memory of the receiver as it was.
public final class PhantomMemory {
    private PhantomMemory() {}

    /// Creates a region in a domain of a simulated host ([Fabric#open]); a domain of `loopback://`
    /// works too.
    ///
    /// @param rights all but [Access#REMOTE_ATOMIC]: there is no value that an atomic could change
    /// @throws dev.verbena.verbs.UnsupportedException when the domain's device transmits bytes, for
    ///   example one of `roce://`
    /// @throws dev.verbena.verbs.LimitExceededException when the device has no room for another
    public static MemoryRegion in(ProtectionDomain domain, long bytes, Access... rights) {
        return TransportDevice.phantom(domain, bytes, rights);
    }
}
