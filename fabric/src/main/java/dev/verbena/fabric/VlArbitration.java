package dev.verbena.fabric;

import java.util.List;

/// The two tables of a port's virtual lane arbiter (IBA 7.6.9).
///
/// @param limitOfHigh how much the high table may send while the low one waits, in units of 4,096
///   bytes; 0 is one packet, 255 has no end
public record VlArbitration(List<Entry> high, List<Entry> low, int limitOfHigh) {
    private static final int ENTRIES_MAX = 64;
    private static final int WEIGHT_MAX = 255;

    /// A lane and its weight.
    ///
    /// @param weight 64-byte units that the lane may send at its turn; with 0 it is skipped
    public record Entry(int lane, int weight) {
        public Entry {
            if (lane < 0 || lane > 14 || weight < 0 || weight > WEIGHT_MAX) {
                throw new IllegalArgumentException(
                        "lane %d with weight %d: use lanes 0 to 14 and weights 0 to 255"
                                .formatted(lane, weight));
            }
        }
    }

    /// All data lanes alike, in the low table.
    public static final VlArbitration EQUAL =
            new VlArbitration(
                    List.of(),
                    List.of(
                            new Entry(0, 66),
                            new Entry(1, 66),
                            new Entry(2, 66),
                            new Entry(3, 66),
                            new Entry(4, 66),
                            new Entry(5, 66),
                            new Entry(6, 66),
                            new Entry(7, 66)),
                    WEIGHT_MAX);

    public VlArbitration {
        high = List.copyOf(high);
        low = List.copyOf(low);
        if (high.size() > ENTRIES_MAX || low.size() > ENTRIES_MAX) {
            throw new IllegalArgumentException("an arbitration table has up to 64 entries");
        }
        if (limitOfHigh < 0 || limitOfHigh > WEIGHT_MAX) {
            throw new IllegalArgumentException("a limit of high priority is 0 to 255");
        }
    }
}
