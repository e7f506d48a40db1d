package dev.verbena.cli;

import dev.verbena.verbs.ReceiveBatch;

/// Keeps receives posted on every queue pair, each for the longest message of the run, and replaces
/// used ones several at a time.
final class ReceiveStock {
    private static final int BATCH = 16;

    private final PerfEnd end;
    private final PerfRequests requests;
    private final int batch;
    private final int[] owed;
    private final long size;
    private long offset;
    private long received;

    ReceiveStock(PerfEnd end) {
        this.end = end;
        requests = new PerfRequests(end, 0);
        batch = Math.clamp(end.options.posting().rxDepth() / 4, 1, BATCH);
        owed = new int[end.pairs.length];
        size = PerfEnd.roundUp(end.options.amount().bytesMax(), Long.BYTES);
        for (int i = 0; i < owed.length; i++) {
            // Those posted for the size before are long enough: only what is missing is added.
            int room = end.pairs[i].receiveRoom();
            for (int posted = 0; posted < room; posted += batch) {
                owed[i] = Math.min(batch, room - posted);
                post(i);
            }
        }
    }

    /// Counts a message that arrived at a queue pair.
    void used(int pair) {
        received++;
        if (++owed[pair] == batch) {
            post(pair);
        }
    }

    private void post(int pair) {
        ReceiveBatch receives = end.pairs[pair].receives();
        for (int i = 0; i < owed[pair]; i++) {
            requests.addReceive(receives, place(pair));
            receives.id(pair);
        }
        if (!receives.post()) {
            throw new PerfException(
                    "qp 0x%x: its receive queue has no room for %d receives; use a smaller -r"
                            .formatted(end.pairs[pair].number(), owed[pair]));
        }
        owed[pair] = 0;
    }

    private long place(int pair) {
        if (end.options.amount().rotateBytes() == 0) {
            return end.slot(pair);
        }
        long at = offset;
        offset = at + 2 * size > end.options.amount().rotateBytes() ? 0 : at + size;
        return at;
    }

    long received() {
        return received;
    }
}
