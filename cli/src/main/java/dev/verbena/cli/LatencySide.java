package dev.verbena.cli;

import dev.verbena.verbs.Completion;
import dev.verbena.verbs.SendBatch;
import java.time.Duration;
import java.util.function.Consumer;

/// A side of a latency test: one message under way at a time.
///
/// The side that asks measures from the posting of one message to the posting of the next; the side
/// that answers posts the answer in the turn in which it saw the message, before its device works
/// again, so that the answer goes ahead of the acknowledgement.
abstract class LatencySide extends PerfSide {
    /// Requests per completion; completions only free the send queue, and no thread waits for them.
    private static final int SIGNAL_EVERY = 32;

    /// A message that has no answer by then is lost, or its answer is.
    private static final long LOST_NS = 100_000_000;

    private static final Duration NAP = Duration.ofMillis(5);

    final PerfRequests requests;
    private final boolean isAsking;
    private final LatencyMeter meter;
    private final int keptMax;
    // Kept in a field: a lambda made in every turn would be garbage.
    private final Consumer<Completion> handler = this::take;
    private boolean isMeasured;
    private boolean isWaiting;
    private long wanted;
    private long limitNs;
    private long asked;
    private long answered;
    private long startNs;
    private long postedNs;

    /// When the question that waits for its answer was asked, or asked again.
    private long askedNs;

    private long lost;

    /// @param keptMax how many single values to keep
    LatencySide(PerfEnd end, int bytes, boolean isAsking, int keptMax) {
        super(end, bytes);
        this.isAsking = isAsking;
        this.keptMax = keptMax;
        requests = new PerfRequests(end, bytes);
        meter = new LatencyMeter(end.options.measure().verb().isRoundTrip());
    }

    @Override
    void begin(long messages, long untilNs, boolean measured) {
        if (isAsking) {
            wanted = messages == Long.MAX_VALUE ? messages : answered + messages;
            limitNs = untilNs;
            isMeasured = measured;
            meter.begin(measured ? (int) Math.min(keptMax, messages) : 0);
            isWaiting = false;
            lost = 0;
            startNs = System.nanoTime();
            postedNs = startNs;
        }
    }

    @Override
    void turn() {
        if (isAsking && !isWaiting) {
            if (!isFinished()) {
                isWaiting = true;
                ask(postedNs);
                return;
            }
        } else if (hasArrived(answered)) {
            arrived();
            return;
        }
        if (isAsking && isWaiting && end.options.mayLose()) {
            askAgainIfLost();
        }
        work();
    }

    private void askAgainIfLost() {
        long nowNs = System.nanoTime();
        if (nowNs - askedNs < LOST_NS) {
            return;
        }
        lost++;
        if (nowNs - limitNs >= 0) {
            wanted = answered;
            isWaiting = false;
        } else {
            ask(nowNs);
        }
    }

    private void arrived() {
        answered++;
        if (!isAsking) {
            post(answered);
            return;
        }
        long nowNs = System.nanoTime();
        if (isMeasured) {
            meter.record(nowNs - postedNs);
        }
        postedNs = nowNs;
        if (nowNs - limitNs >= 0) {
            wanted = answered;
        }
        if (answered < wanted) {
            ask(nowNs);
        } else {
            isWaiting = false;
        }
    }

    private void ask(long nowNs) {
        asked++;
        askedNs = nowNs;
        forgetLate(answered);
        post(asked);
    }

    /// Whether message number `before + 1` of the other side has come.
    abstract boolean hasArrived(long before);

    /// An answer beyond so many is the late one to a question that was asked again.
    void forgetLate(long before) {}

    /// Posts message number `number` of this side.
    abstract void post(long number);

    /// Lets the device work.
    abstract void work();

    /// Which queue pair a message goes over.
    final int pairOf(long number) {
        return end.pairs.length == 1 ? 0 : (int) (number % end.pairs.length);
    }

    final void postRequest(long number, boolean isSignaled) {
        int pair = pairOf(number);
        SendBatch batch = end.pairs[pair].sends();
        requests.add(batch, pair, end.slot(pair));
        batch.id(pair);
        if (isSignaled || number / end.pairs.length % SIGNAL_EVERY == 0) {
            batch.signaled();
        }
        if (!batch.post()) {
            throw new PerfException(
                    "qp 0x%x: its send queue is full after one message; this is a defect of verbena"
                            .formatted(end.pairs[pair].number()));
        }
    }

    /// Takes one completion, if there is one, which lets the device work too.
    final boolean poll() {
        Completion done = end.completions.poll();
        if (done == null) {
            return false;
        }
        take(done);
        return true;
    }

    /// Waits briefly for completions of a device that has its own thread.
    final void await() {
        end.completions.await(NAP, handler);
    }

    private void take(Completion done) {
        PerfEnd.requireSuccess(done);
        completed(done);
    }

    /// Looks at a completion.
    abstract void completed(Completion done);

    @Override
    boolean isFinished() {
        return !isAsking || (answered >= wanted && !isWaiting);
    }

    @Override
    long moved() {
        return answered;
    }

    @Override
    PerfResult result() {
        return isAsking ? meter.result(bytes, postedNs - startNs, lost) : new PerfResult.None();
    }

    /// The single values that were kept.
    final LatencyMeter meter() {
        return meter;
    }
}
