package dev.verbena.collectives.link;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;

/// Makes the memory of a communicator: [ProtectionDomain#allocate], or in a simulation memory that
/// has a length alone.
@FunctionalInterface
public interface MemorySource {
    MemoryRegion make(ProtectionDomain domain, long bytes, Access... rights);
}
