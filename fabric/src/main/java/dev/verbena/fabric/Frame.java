package dev.verbena.fabric;

/// Frames between two neighbours: what they say stands where packets have their [Tag], which is
/// never negative.
///
/// A pause of Ethernet says a priority and quanta; credits of InfiniBand say a lane and FCCL.
final class Frame {
    private static final int VALUE_BITS = 16;

    private Frame() {}

    static boolean is(long tag) {
        return tag < 0;
    }

    static long of(int lane, int value) {
        return Long.MIN_VALUE | ((long) lane << VALUE_BITS) | value;
    }

    static int lane(long frame) {
        return (int) (frame >>> VALUE_BITS) & 0xF;
    }

    static int value(long frame) {
        return (int) frame & 0xFFFF;
    }
}
