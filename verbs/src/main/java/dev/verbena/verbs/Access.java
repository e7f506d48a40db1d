package dev.verbena.verbs;

import java.util.Set;

/// What may be done to a memory region; reading it locally is always allowed (IBA 10.6.3).
///
/// The same rights, given to a queue pair, say which one-sided operations it answers.
public enum Access {
    /// The device may write here for the owner: receives, READ results, atomic results. The rights
    /// to write remotely include it.
    LOCAL_WRITE(0x1),
    REMOTE_WRITE(0x2),
    REMOTE_READ(0x4),
    REMOTE_ATOMIC(0x8),
    /// Windows may be bound to it.
    WINDOW_BIND(0x10),
    /// Its remote key may be invalidated by work requests, the peer's SEND with invalidate among
    /// them; [MemoryRegion#renew] gives it a new one. Software fabrics only: with a NIC, bind a
    /// window instead.
    INVALIDATE(1 << 30);

    private final int bit;

    Access(int bit) {
        this.bit = bit;
    }

    /// The bit of libibverbs where there is one; else one that libibverbs leaves free (Linux has
    /// reserved bits 20 to 29 for rights that a device may ignore).
    public int bit() {
        return bit;
    }

    /// All bits of a set of rights.
    public static int bits(Set<Access> rights) {
        int bits = 0;
        for (Access right : rights) {
            bits |= right.bit;
        }
        return bits;
    }
}
