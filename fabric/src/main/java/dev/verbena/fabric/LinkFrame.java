package dev.verbena.fabric;

/// Frames between two neighbours. Their content is in the word where packets have their [Tag]; a
/// tag is never negative.
///
/// A pause frame of Ethernet has a priority and quanta; a credit frame of InfiniBand has a lane and
/// FCCL.
final class LinkFrame {
    private static final int VALUE_BITS = 16;

    private LinkFrame() {}

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
