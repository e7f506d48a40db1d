package dev.verbena.verbs;

import java.util.Set;

/// Rights on a memory region. Local reads are always allowed (IBA 10.6.3).
///
/// The same rights on a queue pair say which one-sided operations it answers.
public enum Access {
    /// The local device may write to the region: receives, READ results, atomic results. The remote
    /// write rights include this right.
    LOCAL_WRITE(0x1),
    REMOTE_WRITE(0x2),
    REMOTE_READ(0x4),
    REMOTE_ATOMIC(0x8),
    /// Memory windows may be bound to the region.
    WINDOW_BIND(0x10),
    /// Work requests may invalidate the remote key, including the peer's SEND with invalidate;
    /// [MemoryRegion#renew] creates a new key. Only software fabrics support this: with a NIC, bind
    /// a window instead.
    INVALIDATE(1 << 30);

    private final int bit;

    Access(int bit) {
        this.bit = bit;
    }

    /// The bit of libibverbs if there is one; otherwise a bit that libibverbs does not use (Linux
    /// reserves bits 20 to 29 for rights that a device may ignore).
    public int bit() {
        return bit;
    }

    /// The bits of a set of rights, combined.
    public static int bits(Set<Access> rights) {
        int bits = 0;
        for (Access right : rights) {
            bits |= right.bit;
        }
        return bits;
    }
}
