package dev.verbena.easy;

import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.LimitExceededException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The one thread of a node that waits for completions, and the lanes that they belong to.
///
/// A tag names a lane: its place in 12 bits, and how often the place was taken in 20, so that a
/// completion of a lane that was closed does not reach the next one at its place.
final class CompletionLoop {
    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();
    private static final int INDEX_BITS = 12;

    private final CompletionQueue queue;
    private final AtomicReferenceArray<@Nullable RdmaLane> lanes;
    private final int[] tags;
    private final IntRing free;

    /// Held for a few instructions, and never during a call of a device.
    private final ReentrantLock lock = new ReentrantLock();

    private final Consumer<Completion> handler = this::handle;

    CompletionLoop(CompletionQueue queue, int channels) {
        this.queue = queue;
        lanes = new AtomicReferenceArray<>(channels);
        tags = new int[channels];
        free = IntRing.full(channels);
    }

    CompletionQueue queue() {
        return queue;
    }

    /// The tag of a new lane.
    int reserve() {
        lock.lock();
        try {
            if (free.isEmpty()) {
                throw new LimitExceededException(
                        "node",
                        "%d channels are open, and it has room for no more"
                                .formatted(lanes.length()),
                        "close some, or raise NodeSettings.channels");
            }
            int index = free.take();
            tags[index] = ((tags[index] >>> INDEX_BITS) + 1) << INDEX_BITS | index;
            return tags[index];
        } finally {
            lock.unlock();
        }
    }

    void attach(int tag, RdmaLane lane) {
        lanes.set(index(tag), lane);
    }

    void release(int tag) {
        lock.lock();
        try {
            lanes.set(index(tag), null);
            free.add(index(tag));
        } finally {
            lock.unlock();
        }
    }

    private static int index(int tag) {
        return tag & (1 << INDEX_BITS) - 1;
    }

    /// Runs until the queue or its device is closed.
    void run() {
        try {
            while (true) {
                queue.await(FOREVER, handler);
                // An interrupt means nothing here, and would keep the next call from waiting.
                boolean _ = Thread.interrupted();
            }
        } catch (RuntimeException ended) {
            Throwable why = ended instanceof ClosedException ? closed() : ended;
            for (int i = 0; i < lanes.length(); i++) {
                RdmaLane lane = lanes.get(i);
                if (lane != null) {
                    lane.broken(why);
                }
            }
        }
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("its device was closed");
    }

    private void handle(Completion done) {
        int tag = RdmaLane.tag(done.id());
        RdmaLane lane = lanes.get(index(tag));
        if (lane == null || !isCurrent(tag)) {
            return; // of a lane that was closed
        }
        try {
            lane.completed(done);
        } catch (RuntimeException | AssertionError mistake) {
            lane.broken(mistake); // the other channels go on
        }
    }

    private boolean isCurrent(int tag) {
        lock.lock();
        try {
            return tags[index(tag)] == tag;
        } finally {
            lock.unlock();
        }
    }
}
