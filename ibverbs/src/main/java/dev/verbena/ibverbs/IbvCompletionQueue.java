package dev.verbena.ibverbs;

import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.spi.ObjectRules;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A completion queue: up to sixteen completions are fetched with one call, and shown one by one.
final class IbvCompletionQueue implements CompletionQueue {
    private static final int FETCHED = 16;

    /// Additional entries: completions that only this provider reads.
    private static final int SPARE = 64;

    private final IbvDevice device;
    private final IbvContext context;
    private final FastPath fast;
    private final int number;
    private final int capacity;
    private final long queue;
    private final MemorySegment memory =
            Arena.ofAuto().allocate((long) FETCHED * Structs.Wc.SIZE, Structs.POINTER);
    private final long fetched = memory.address();
    private final ObjectGuard guard = new ObjectGuard();
    private int next;
    private int count;
    private int users;
    private boolean isEnded;
    private volatile boolean closed;

    /// Shows completions to the thread that polled last; each thread has its own, so that none sees
    /// another's completion.
    private @Nullable IbvCompletion cursor;

    private @Nullable Thread poller;

    /// How many events of the device there were.
    private volatile int events;

    /// The threads that wait; a place that is free is null.
    private @Nullable Thread[] waiters = new @Nullable Thread[1];

    private volatile @Nullable Runnable listener;

    IbvCompletionQueue(IbvDevice device, int number, int capacity) {
        this.device = device;
        this.context = device.context;
        this.fast = context.fast;
        this.number = number;
        this.queue =
                context.verbs.createCq(
                        device.name(),
                        IbvContext.ofAtMost(
                                "a completion queue for " + capacity,
                                context.limits.completionQueues()),
                        context.address,
                        Math.min(capacity + SPARE, context.limits.completions()),
                        number,
                        device.thread.channel());
        this.capacity = Memory.getInt(queue + Structs.Cq.CQE);
        device.thread.add(this);
    }

    IbvDevice device() {
        return device;
    }

    /// `struct ibv_cq`.
    long structure() {
        return queue;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public @Nullable Completion poll() {
        if (closed) {
            requireOpen();
        }
        Completion taken = take();
        context.lingering.look();
        return taken;
    }

    /// The next completion; one thread at a time takes one, and the others wait for it.
    private @Nullable Completion take() {
        // Made before the guard: memory of its own may have to be waited for.
        IbvCompletion spare = isPoller() ? null : new IbvCompletion(context.owners, context.isRxe);
        if (!guard.enter()) {
            requireOpen();
            return null;
        }
        try {
            IbvCompletion mine = cursor(spare);
            do {
                if (next == count && !fetch()) {
                    return null;
                }
            } while (!mine.show(fetched + (long) next++ * Structs.Wc.SIZE));
            return mine;
        } finally {
            guard.leave();
        }
    }

    private boolean isPoller() {
        return Thread.currentThread().equals(poller);
    }

    /// The cursor of this thread: the last one, or the spare one when another thread has polled
    /// meanwhile.
    private IbvCompletion cursor(@Nullable IbvCompletion spare) {
        IbvCompletion known = cursor;
        if (known == null || !isPoller()) {
            known = spare == null ? new IbvCompletion(context.owners, context.isRxe) : spare;
            cursor = known;
            poller = Thread.currentThread();
        }
        return known;
    }

    /// Asks the device; returns whether there was anything.
    private boolean fetch() {
        int came = fast.poll(queue, FETCHED, fetched);
        next = 0;
        count = Math.max(0, came);
        return came > 0;
    }

    @Override
    public int poll(int most, Consumer<? super Completion> handler) {
        requireOpen();
        int taken = 0;
        Completion done;
        // A handler may close the queue.
        while (taken < most && !closed && (done = poll()) != null) {
            handler.accept(done);
            taken++;
        }
        return taken;
    }

    @Override
    public int await(Duration timeout, Consumer<? super Completion> handler) {
        long startNs = System.nanoTime();
        long limitNs = Awaited.saturatedNs(timeout);
        int taken = poll(capacity, handler);
        while (taken == 0 && System.nanoTime() - startNs < limitNs) {
            int before = events;
            arm(Notification.ANY);
            taken = poll(capacity, handler);
            if (taken == 0) {
                park(before, startNs, limitNs);
                taken = poll(capacity, handler);
            }
            if (Thread.currentThread().isInterrupted()) {
                break; // an interrupt ends the time
            }
        }
        return taken;
    }

    /// Parks, so that a virtual thread keeps no carrier, until the device's own thread has seen an
    /// event of the queue.
    private void park(int before, long startNs, long limitNs) {
        waits();
        try {
            while (events == before && !closed && !device.isClosed()) {
                long leftNs = limitNs - (System.nanoTime() - startNs);
                if (leftNs <= 0 || Thread.currentThread().isInterrupted()) {
                    break;
                }
                LockSupport.parkNanos(this, leftNs);
            }
        } finally {
            waitsNoLonger();
        }
        requireOpen();
    }

    private synchronized void waits() {
        int place = 0;
        while (place < waiters.length && waiters[place] != null) {
            place++;
        }
        if (place == waiters.length) {
            waiters = Arrays.copyOf(waiters, place * 2);
        }
        waiters[place] = Thread.currentThread();
    }

    private synchronized void waitsNoLonger() {
        for (int i = 0; i < waiters.length; i++) {
            if (Thread.currentThread().equals(waiters[i])) {
                waiters[i] = null;
                return;
            }
        }
    }

    @Override
    public void arm(Notification kind) {
        requireOpen();
        device.thread.start();
        if (!guard.enter()) {
            requireOpen();
        }
        int reason = fast.arm(queue, kind == Notification.SOLICITED);
        guard.leave();
        if (reason != 0) {
            throw Errno.refusal(toString(), "to be armed", reason);
        }
    }

    @Override
    public void onNotification(Runnable called) {
        listener = called;
    }

    /// The device raised the event that was asked for; called by its thread.
    void notified() {
        wakeAll();
        Runnable called = listener;
        if (called != null) {
            called.run();
        }
    }

    /// Lets every thread that waits look again.
    synchronized void wakeAll() {
        events++;
        for (Thread waiter : waiters) {
            LockSupport.unpark(waiter);
        }
    }

    void use() {
        users++;
    }

    void unuse() {
        users--;
        endIfUnused();
    }

    @Override
    public void close() {
        context.lock.lock();
        try {
            closed = true;
            wakeAll();
            endIfUnused();
        } finally {
            context.lock.unlock();
        }
    }

    private void endIfUnused() {
        if (closed && users == 0 && !isEnded) {
            isEnded = true;
            guard.shut();
            device.thread.remove(this);
            device.events.fetch();
            context.verbs.destroyCq(queue);
            device.queues.remove(this);
        }
    }

    void requireOpen() {
        device.requireOpen();
        if (closed) {
            throw ObjectRules.closed(this);
        }
    }

    @Override
    public String toString() {
        return "cq " + number;
    }
}
