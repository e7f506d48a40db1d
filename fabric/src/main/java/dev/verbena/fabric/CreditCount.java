package dev.verbena.fabric;

/// The arithmetic of credits (IBA 7.9.4): blocks of 64 bytes, counted modulo 4,096 from the moment
/// a link came up.
final class CreditCount {
    static final int BLOCK = 64;
    static final int MASK = 4095;

    /// A sender may be ahead by half of the numbers at most, so that old and new can be told apart.
    static final int AHEAD_MAX = 2048;

    private CreditCount() {}

    static int blocks(int bytes) {
        return (bytes + BLOCK - 1) / BLOCK;
    }

    /// Whether a number of blocks may be sent.
    ///
    /// @param fctbs blocks that were sent in all (flow control total blocks sent)
    /// @param fccl blocks that may have been sent in all (flow control credit limit)
    static boolean allows(int fccl, int fctbs, int blocks) {
        return ((fccl - (fctbs + blocks)) & MASK) <= AHEAD_MAX;
    }

    /// The credit limit that a receiver sends.
    ///
    /// @param abr blocks received in all (adjusted blocks received)
    /// @param free blocks free in the buffer
    static int limit(int abr, int free) {
        return (abr + Math.min(free, AHEAD_MAX)) & MASK;
    }
}
