package dev.verbena.fabric;

/// Frames between two neighbours, which have no packet: a negative number in place of its handle,
/// and all that they say in place of its tag.
final class Frame {
    /// Priority flow control of Ethernet: a priority, and quanta.
    static final int PAUSE = -1;

    /// Credits of InfiniBand: a lane, and FCCL.
    static final int CREDIT = -2;

    private static final int VALUE_BITS = 16;

    private Frame() {}

    static boolean is(int handle) {
        return handle < 0;
    }

    static long of(int lane, int value) {
        return ((long) lane << VALUE_BITS) | value;
    }

    static int lane(long frame) {
        return (int) (frame >>> VALUE_BITS);
    }

    static int value(long frame) {
        return (int) frame & 0xFFFF;
    }
}
