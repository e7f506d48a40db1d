package dev.verbena.stream;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;

/// Takes the two regions of a stream, or none.
final class Memory {
    private Memory() {}

    /// The second region; without it the first is given back, so that a stream that could not be
    /// made leaves nothing behind.
    static MemoryRegion second(
            ProtectionDomain domain, long bytes, MemoryRegion first, Access... rights) {
        boolean isTaken = false;
        try {
            MemoryRegion taken = domain.allocate(bytes, rights);
            isTaken = true;
            return taken;
        } finally {
            if (!isTaken) {
                first.close();
            }
        }
    }
}
