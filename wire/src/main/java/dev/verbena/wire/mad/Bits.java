package dev.verbena.wire.mad;

/// Flags in packed bytes.
final class Bits {
    private Bits() {}

    /// The bit with the value `mask` when the flag is set, else nothing.
    static int of(boolean flag, int mask) {
        return flag ? mask : 0;
    }

    static boolean isSet(int value, int mask) {
        return (value & mask) != 0;
    }
}
