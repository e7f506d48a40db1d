package dev.verbena.fabric;

import java.util.List;

/// Chooses between virtual lanes by two weighted tables; management goes before both.
///
/// The current lane sends until it has used its weight or has no packet that may leave. The packet
/// that exceeds the weight is still sent.
final class VlArbiter implements Arbiter {
    static final int MANAGEMENT = 15;

    private static final int BLOCK = 64;
    private static final int LIMIT_UNIT = 4096;
    private static final int NO_LIMIT = 255;

    private Table high;
    private Table low;
    private long limitBytes;
    private long highBytes;

    VlArbiter(VlArbitration tables) {
        high = new Table(tables.high());
        low = new Table(tables.low());
        use(tables);
    }

    /// Goes on with other tables.
    void use(VlArbitration tables) {
        high = new Table(tables.high());
        low = new Table(tables.low());
        limitBytes =
                tables.limitOfHigh() == NO_LIMIT
                        ? Long.MAX_VALUE
                        : (long) tables.limitOfHigh() * LIMIT_UNIT;
    }

    @Override
    public int choose(int lanes, Waiting port) {
        if ((lanes & (1 << MANAGEMENT)) != 0) {
            return MANAGEMENT;
        }
        boolean isLowWaiting = low.serves(lanes);
        if (!isLowWaiting) {
            highBytes = 0;
        }
        // One packet always may, so that a limit of 0 lets both tables alternate.
        boolean mayHigh = highBytes == 0 || highBytes < limitBytes;
        if (mayHigh && high.serves(lanes)) {
            int lane = high.next(lanes, port);
            highBytes += port.firstBytes(lane);
            return lane;
        }
        highBytes = 0;
        if (isLowWaiting) {
            return low.next(lanes, port);
        }
        // In no table: it would never be sent, so the tables are wrong.
        return Integer.numberOfTrailingZeros(lanes);
    }

    /// One table, and its current lane.
    private static final class Table {
        private final int[] lane;
        private final int[] weight;
        private final int served;
        private int turn;
        private int left;

        Table(List<VlArbitration.Entry> entries) {
            List<VlArbitration.Entry> used =
                    entries.stream().filter(entry -> entry.weight() > 0).toList();
            lane = used.stream().mapToInt(VlArbitration.Entry::lane).toArray();
            weight = used.stream().mapToInt(VlArbitration.Entry::weight).toArray();
            int mask = 0;
            for (int one : lane) {
                mask |= 1 << one;
            }
            served = mask;
            left = weight.length == 0 ? 0 : weight[0];
        }

        boolean serves(int lanes) {
            return (served & lanes) != 0;
        }

        /// The lane that sends; there is one in the table.
        int next(int lanes, Arbiter.Waiting port) {
            while (left <= 0 || (lanes & (1 << lane[turn])) == 0) {
                turn = turn + 1 == lane.length ? 0 : turn + 1;
                left = weight[turn];
            }
            int chosen = lane[turn];
            left -= (port.firstBytes(chosen) + BLOCK - 1) / BLOCK;
            return chosen;
        }
    }
}
