package dev.verbena.wire;

/// Partition keys (IBA 10.9): fifteen bits of partition and a membership bit.
public final class Pkey {
    public static final int DEFAULT_FULL = 0xFFFF;
    public static final int DEFAULT_LIMITED = 0x7FFF;

    private static final int FULL = 0x8000;
    private static final int PARTITION = 0x7FFF;

    private Pkey() {}

    public static boolean isFullMember(int pkey) {
        return (pkey & FULL) != 0;
    }

    /// Whether two keys may talk (IBA 10.9.3): the same partition, which is not the invalid zero,
    /// and not both of them limited members.
    public static boolean match(int one, int other) {
        return (one & PARTITION) != 0
                && (one & PARTITION) == (other & PARTITION)
                && ((one | other) & FULL) != 0;
    }
}
