package dev.verbena.ibverbs;

import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Notification;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
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
    private final IbvCompletion cursor;
    private final Gate gate = new Gate();
    private int next;
    private int count;
    private int users;
    private boolean isEnded;
    private volatile boolean closed;
    private volatile boolean isNotified;
    private volatile @Nullable Thread waiter;
    private volatile @Nullable Runnable listener;

    IbvCompletionQueue(IbvDevice device, int number, int capacity) {
        this.device = device;
        this.context = device.context;
        this.fast = context.fast;
        this.number = number;
        this.cursor = new IbvCompletion(memory, context.owners, context.isRxe);
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
        do {
            if (next == count && !fetch()) {
                context.lingering.look();
                return null;
            }
        } while (!cursor.show(fetched + (long) next++ * Structs.Wc.SIZE));
        context.lingering.look();
        return cursor;
    }

    /// Asks the device; returns whether there was anything.
    private boolean fetch() {
        if (!gate.enter()) {
            requireOpen();
            return false;
        }
        int came = fast.poll(queue, FETCHED, fetched);
        gate.leave();
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
            isNotified = false;
            arm(Notification.ANY);
            taken = poll(capacity, handler);
            if (taken == 0) {
                park(startNs, limitNs);
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
    private void park(long startNs, long limitNs) {
        waiter = Thread.currentThread();
        try {
            while (!isNotified && !closed && !device.isClosed()) {
                long leftNs = limitNs - (System.nanoTime() - startNs);
                if (leftNs <= 0 || Thread.currentThread().isInterrupted()) {
                    break;
                }
                LockSupport.parkNanos(this, leftNs);
            }
        } finally {
            waiter = null;
        }
        requireOpen();
    }

    @Override
    public void arm(Notification kind) {
        requireOpen();
        device.thread.start();
        if (!gate.enter()) {
            requireOpen();
        }
        int reason = fast.arm(queue, kind == Notification.SOLICITED);
        gate.leave();
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
        isNotified = true;
        wakeWaiter();
        Runnable called = listener;
        if (called != null) {
            called.run();
        }
    }

    void wakeWaiter() {
        LockSupport.unpark(waiter);
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
            wakeWaiter();
            endIfUnused();
        } finally {
            context.lock.unlock();
        }
    }

    private void endIfUnused() {
        if (closed && users == 0 && !isEnded) {
            isEnded = true;
            gate.shut();
            device.thread.remove(this);
            device.events.fetch();
            context.verbs.destroyCq(queue);
            device.queues.remove(this);
        }
    }

    void requireOpen() {
        device.requireOpen();
        if (closed) {
            throw new ClosedException(toString(), "it was closed", "use it before closing it");
        }
    }

    @Override
    public String toString() {
        return "cq " + number;
    }
}
