package dev.verbena.wire;

/// Arithmetic on 24-bit packet sequence numbers, which wrap (IBA 9.7.2).
public final class Psn {
    public static final int MASK = 0xFF_FFFF;

    private Psn() {}

    public static int plus(int psn, int count) {
        return (psn + count) & MASK;
    }

    /// How far `one` is ahead of `other`: negative when it is older. Half of the number space
    /// counts as older, half as newer.
    public static int distance(int one, int other) {
        return ((one - other) << 8) >> 8;
    }
}
