package dev.verbena.conformance.hostile;

import dev.verbena.verbs.Completion;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/// The requests of an episode: each one that was taken ends once, and no other ends.
final class Ledger {
    private static final int REQUESTS_MAX = 1 << 13;
    private static final int REFUSED = 1 << 30;

    private final AtomicInteger next = new AtomicInteger();

    /// How often each has completed; and a bit for those that were not taken.
    private final AtomicIntegerArray ended = new AtomicIntegerArray(REQUESTS_MAX);

    private final @Nullable Pair[] pairs = new Pair[REQUESTS_MAX];

    /// For the message about a fault.
    private final @Nullable String[] reasons = new String[REQUESTS_MAX];

    private final @Nullable String[] results = new String[REQUESTS_MAX];

    /// A number for a request that is about to be posted; -1 when there are no more.
    int begin(Pair pair) {
        int id = next.getAndIncrement();
        if (id >= REQUESTS_MAX) {
            return -1;
        }
        pairs[id] = pair;
        return id;
    }

    /// It was not taken.
    void refused(int id, String why) {
        reasons[id] = why;
        ended.getAndUpdate(id, it -> it | REFUSED);
    }

    void completed(Completion done) {
        long id = done.id();
        if (id < 0 || id >= REQUESTS_MAX) {
            throw new AssertionError("a completion of no request: " + done);
        }
        results[(int) id] = done.toString();
        ended.getAndIncrement((int) id);
    }

    int size() {
        return Math.min(next.get(), REQUESTS_MAX);
    }

    /// What is wrong, after all queues were emptied.
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        for (int id = 0; id < size(); id++) {
            int seen = ended.get(id);
            int times = seen & ~REFUSED;
            boolean wasTaken = (seen & REFUSED) == 0;
            Pair pair = pairs[id];
            if (times > 1) {
                faults.add("request " + id + " of " + pair + " completed " + times + " times");
            } else if (times == 1 && !wasTaken) {
                faults.add(
                        "request %d of %s was refused (%s), and completed (%s)"
                                .formatted(id, pair, reasons[id], results[id]));
            } else if (times == 0 && wasTaken && pair != null && pair.mustComplete()) {
                faults.add("request " + id + " of " + pair + " never completed");
            }
        }
        return faults;
    }
}
