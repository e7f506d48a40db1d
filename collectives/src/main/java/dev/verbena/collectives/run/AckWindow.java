package dev.verbena.collectives.run;

/// Which sends of a lane have been acknowledged: they may be out of order, because they go to
/// different peers.
final class AckWindow {
    /// Sends of a lane that are not acknowledged, at most.
    static final int SIZE = 64;

    private long mask;
    private int first;

    void reset() {
        mask = 0;
        first = 0;
    }

    /// Number of sends before the first that is not acknowledged.
    int count() {
        return first;
    }

    void acknowledged(int send) {
        if (send < first || send >= first + SIZE) {
            throw new AssertionError("send " + send + " is not under way");
        }
        mask |= 1L << (send - first);
        int done = Long.numberOfTrailingZeros(~mask);
        first += done;
        mask = done == SIZE ? 0 : mask >>> done;
    }
}
