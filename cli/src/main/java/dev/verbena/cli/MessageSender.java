package dev.verbena.cli;

import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendBatch;

/// Keeps a window of requests under way on every queue pair.
///
/// A queue pair with room in its window waits in a ring for its turn, so that ten thousand of them
/// cost no more per message than one.
final class MessageSender {
    private static final int INDEX_BITS = 32;

    private final PerfEnd end;
    private final PerfOptions options;
    private final PerfRequests requests;
    private final PeakMeter peak = new PeakMeter();
    private final int bytes;
    private final int list;
    private final long step;
    private final int[] inFlight;
    private final int[] sinceSignal;
    private final long[] left;
    private final int[] ready;
    private final boolean[] isReady;
    private int readyHead;
    private int readyCount;
    private long offset;
    private boolean isMeasured;
    private boolean isStopped;
    private long limitNs;
    private long posted;
    private long completed;
    private long wanted;
    private long startNs;
    private long endNs;

    MessageSender(PerfEnd end, int bytes) {
        this.end = end;
        this.bytes = bytes;
        options = end.options;
        requests = new PerfRequests(end, bytes);
        list = options.posting().postList();
        step = PerfEnd.roundUp(bytes, Long.BYTES);
        inFlight = new int[end.pairs.length];
        sinceSignal = new int[end.pairs.length];
        left = new long[end.pairs.length];
        ready = new int[end.pairs.length];
        isReady = new boolean[end.pairs.length];
    }

    /// Begins a run; the one before must be finished.
    void begin(long messages, long untilNs, boolean measured) {
        boolean isCounted = messages != Long.MAX_VALUE;
        isMeasured = measured && isCounted;
        isStopped = false;
        limitNs = untilNs;
        posted = 0;
        completed = 0;
        wanted = isCounted ? messages * end.pairs.length : Long.MAX_VALUE;
        // Also where nobody will ask: warming up must be the same work, or the compiled code that
        // it leaves behind is thrown away when the measuring begins.
        peak.begin(isCounted ? wanted : Long.MAX_VALUE / 2, options.posting().cqModeration());
        for (int i = 0; i < end.pairs.length; i++) {
            left[i] = messages;
            sinceSignal[i] = 0;
            offer(i);
        }
        startNs = System.nanoTime();
        endNs = startNs;
    }

    /// Posts as much as the windows take, or a part of it; returns whether there is room for more.
    boolean fill() {
        if (!isStopped && System.nanoTime() - limitNs >= 0) {
            stop();
        }
        // As perftest does: until every window is full, so that requests leave together.
        // A peer that must post receives meanwhile is given the time to.
        int turns = options.measure().verb().needsReceives() ? readyCount : Integer.MAX_VALUE;
        int refused = 0;
        while (readyCount > refused && turns-- > 0) {
            int pair = ready[readyHead];
            readyHead = readyHead + 1 == ready.length ? 0 : readyHead + 1;
            readyCount--;
            isReady[pair] = false;
            long before = posted;
            if (post(pair)) {
                offer(pair);
            }
            // A queue pair without room stays in the ring until a completion frees some.
            refused = posted == before ? refused + 1 : 0;
        }
        return readyCount > refused;
    }

    /// The time is over: requests in flight still end, with a last completion per queue pair.
    private void stop() {
        isStopped = true;
        wanted = posted;
        for (int i = 0; i < left.length; i++) {
            if (sinceSignal[i] > 0) {
                left[i] = 1;
                wanted++;
                offer(i);
            } else {
                left[i] = 0;
            }
        }
        if (isFinished()) {
            endNs = System.nanoTime();
        }
    }

    /// Posts up to a list of requests, and returns whether the queue pair could take more.
    private boolean post(int pair) {
        int count =
                (int)
                        Math.min(
                                Math.min(list, left[pair]),
                                options.posting().txDepth() - inFlight[pair]);
        if (count == 0) {
            return false;
        }
        QueuePair queue = end.pairs[pair];
        if (queue.sendRoom() < count) {
            // A limit of the device; completions of others make room.
            return true;
        }
        SendBatch batch = queue.sends();
        for (int i = 0; i < count; i++) {
            peak.posting(posted);
            requests.add(batch, pair, place(pair));
            posted++;
            left[pair]--;
            if (++sinceSignal[pair] >= options.posting().cqModeration() || left[pair] == 0) {
                batch.id((long) sinceSignal[pair] << INDEX_BITS | pair).signaled();
                sinceSignal[pair] = 0;
            }
        }
        inFlight[pair] += count;
        if (!batch.post()) {
            throw new PerfException(
                    "qp 0x%x: its send queue has no room for %d requests; use a smaller -t"
                            .formatted(queue.number(), count));
        }
        return left[pair] > 0 && inFlight[pair] < options.posting().txDepth();
    }

    private long place(int pair) {
        if (options.amount().rotateBytes() == 0) {
            return end.slot(pair);
        }
        long at = offset;
        offset = at + 2 * step > options.amount().rotateBytes() ? 0 : at + step;
        return at;
    }

    private void offer(int pair) {
        if (!isReady[pair]) {
            isReady[pair] = true;
            int tail = readyHead + readyCount;
            ready[tail >= ready.length ? tail - ready.length : tail] = pair;
            readyCount++;
        }
    }

    /// Handles a completion; it covers all requests since the previous one.
    void completed(long id) {
        int pair = (int) id;
        int count = (int) (id >>> INDEX_BITS);
        completed += count;
        inFlight[pair] -= count;
        peak.completed(completed);
        if (left[pair] > 0) {
            offer(pair);
        }
        if (completed == wanted) {
            endNs = System.nanoTime();
        }
    }

    boolean isFinished() {
        return completed == wanted;
    }

    long completed() {
        return completed;
    }

    PerfResult.Bandwidth result() {
        double seconds = Math.max(1, endNs - startNs) / 1e9;
        return new PerfResult.Bandwidth(
                bytes,
                completed,
                isMeasured ? peak.best() * bytes : 0,
                completed * (double) bytes / seconds,
                completed / seconds,
                0);
    }
}
