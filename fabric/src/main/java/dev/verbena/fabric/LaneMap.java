package dev.verbena.fabric;

/// The virtual lane of each service level (IBA 7.6.6).
///
/// @param packed four bits for each service level, the lowest first
public record LaneMap(long packed) {
    private static final int LEVELS = 16;
    private static final int BITS = 4;
    private static final int MASK = 15;

    /// Packets of a level in this lane, which is for management, are dropped (IBA 7.6.6).
    static final int DROPPED = 15;

    /// All levels in lane 0.
    public static final LaneMap ALL_IN_ONE = new LaneMap(0);

    /// A number of lanes; the lane is the level modulo that number.
    public static LaneMap modulo(int lanes) {
        if (lanes < 1 || lanes > 15) {
            throw new IllegalArgumentException(lanes + " data lanes: use 1 to 15");
        }
        long packed = 0;
        for (int level = 0; level < LEVELS; level++) {
            packed |= (long) (level % lanes) << (BITS * level);
        }
        return new LaneMap(packed);
    }

    public int lane(int level) {
        return (int) (packed >>> (BITS * level)) & MASK;
    }
}
