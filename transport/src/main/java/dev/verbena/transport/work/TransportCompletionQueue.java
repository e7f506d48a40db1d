package dev.verbena.transport.work;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.common.DeviceLife;
import dev.verbena.transport.common.GuardedEntry;
import dev.verbena.transport.common.Waiters;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.WrongStateException;
import dev.verbena.verbs.spi.ObjectNames;
import dev.verbena.verbs.spi.ObjectRules;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A ring of completions that grows up to its capacity, and the cursor that shows them.
///
/// Several threads may poll: each has a cursor of its own as long as it polls, so that no thread
/// sees another's completion.
public final class TransportCompletionQueue implements CompletionQueue {
    private static final int FIRST_ENTRIES = 4;
    private static final int STRIDE = 4;

    private static final int ID = 0;
    private static final int WHAT = 1;
    private static final int LENGTH = 2;
    private static final int EXTRA = 3;

    /// Flags of an entry.
    public static final int IMMEDIATE = 1;

    public static final int INVALIDATED = 2;
    public static final int SOLICITED = 4;
    public static final int GLOBAL = 8;

    /// A length has 40 bits; above it is the number of the queue pair that a datagram came from.
    public static final int LENGTH_BITS = 40;

    private static final long LENGTH_MASK = (1L << LENGTH_BITS) - 1;

    private static final CompletionStatus[] STATUSES = CompletionStatus.values();
    private static final CompletedOperation[] OPERATIONS = CompletedOperation.values();

    private static final VarHandle TAIL;

    static {
        try {
            TAIL =
                    MethodHandles.lookup()
                            .findVarHandle(TransportCompletionQueue.class, "tail", long.class);
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    private final CompletionQueueTable table;
    private final DeviceLife device;
    private final GuardedEntry entry;
    private final int number;
    private final int capacity;
    private Cursor cursor = new Cursor();

    /// The thread that the cursor is for: the one that polled last.
    private @Nullable Thread poller;

    private long[] entries = new long[FIRST_ENTRIES * STRIDE];

    /// Changed by the polling thread, with the guard held.
    private long head;

    /// Published when an entry is complete: an empty queue is polled without the guard.
    private long tail;

    /// Whether a completion has been lost; those before it can still be polled.
    private volatile boolean overrun;

    private volatile boolean closed;

    private final Waiters waiters;

    /// Made once, so that waiting makes no object.
    private final BooleanSupplier isReady = this::hasEntryOrIsClosed;

    /// The device's list of its queues.
    private @Nullable TransportCompletionQueue older;

    private @Nullable TransportCompletionQueue newer;
    private @Nullable Notification armed;
    private @Nullable Runnable listener;
    private final Runnable notification = this::notifyListener;

    TransportCompletionQueue(
            CompletionQueueTable table,
            int number,
            int capacity,
            @Nullable TransportCompletionQueue older) {
        this.table = table;
        this.device = table.device;
        this.entry = device.entry;
        this.waiters = new Waiters(device);
        this.older = older;
        if (older != null) {
            older.newer = this;
        }
        this.number = number;
        this.capacity = capacity;
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
        requireOpen();
        if (isEmpty() && (!device.progress() || isEmpty())) {
            requireWhole();
            return null;
        }
        try (var _ = entry.enter()) {
            if (head == tail) {
                // Another thread was faster.
                return null;
            }
            if (!Thread.currentThread().equals(poller)) {
                poller = Thread.currentThread();
                cursor = new Cursor();
            }
            cursor.show(at(head));
            head++;
            return cursor;
        }
    }

    private boolean hasEntryOrIsClosed() {
        return closed || overrun || !isEmpty();
    }

    private boolean isEmpty() {
        return head == (long) TAIL.getAcquire(this);
    }

    @Override
    public int poll(int most, Consumer<? super Completion> handler) {
        int count = 0;
        Completion next;
        // A handler may close the queue.
        while (count < most && !closed && (next = poll()) != null) {
            handler.accept(next);
            count++;
            // A turn of the device now would send acknowledgements before the answers that the
            // caller is about to post: those leave together.
            if (isEmpty()) {
                break;
            }
        }
        return count;
    }

    @Override
    public int await(Duration timeout, Consumer<? super Completion> handler) {
        requireOpen();
        long startNs = device.nowNs();
        long limitNs = Waiters.saturatedNs(timeout);
        while (waiters.await(startNs, limitNs, isReady)) {
            requireOpen();
            int count = poll((int) ((long) TAIL.getAcquire(this) - head), handler);
            if (count > 0) {
                return count;
            }
            requireWhole();
            // Another thread was faster.
        }
        return 0;
    }

    /// Lets threads that wait look again.
    void rouse() {
        waiters.rouse();
    }

    @Nullable TransportCompletionQueue older() {
        return older;
    }

    @Override
    public void arm(Notification kind) {
        try (var _ = entry.enter()) {
            requireOpen();
            requireWhole();
            armed = kind;
        }
    }

    @Override
    public void onNotification(Runnable called) {
        try (var _ = entry.enter()) {
            requireOpen();
            listener = called;
        }
    }

    @Override
    public void close() {
        try (var _ = entry.enter()) {
            if (!closed) {
                closed = true;
                table.closed(this);
                unlink();
                rouse();
            }
        }
    }

    private void unlink() {
        if (older != null) {
            older.newer = newer;
        }
        if (newer != null) {
            newer.older = older;
        }
    }

    /// Adds a completion; false when there is no room for it, and never will be again.
    public boolean add(
            long id,
            CompletionStatus status,
            CompletedOperation operation,
            int queuePair,
            long length,
            int flags,
            long extra) {
        if (closed) {
            // The queue is closed: the completion cannot be polled any more.
            return true;
        }
        if (overrun) {
            return false;
        }
        if (tail - head == capacity) {
            overrun = true;
            rouse();
            if (armed != null) {
                tell(true);
            }
            return false;
        }
        if (tail - head == entries.length / STRIDE) {
            grow();
        }
        int at = at(tail);
        entries[at + ID] = id;
        entries[at + WHAT] = pack(status, operation, flags, queuePair);
        entries[at + LENGTH] = length;
        entries[at + EXTRA] = extra;
        publish();
        if (armed != null) {
            tell(status != CompletionStatus.SUCCESS || (flags & SOLICITED) != 0);
        }
        return true;
    }

    private void publish() {
        TAIL.setRelease(this, tail + 1);
        if (entry.isGuarded()) {
            // The waiting thread is looked for only after the entry can be seen.
            VarHandle.fullFence();
            rouse();
        }
    }

    boolean isOf(CompletionQueueTable other) {
        return table == other;
    }

    /// Says once what its users have to know.
    public void warnOfOverrun(Object queuePair) {
        table.events.warn(
                AsyncEvent.Type.COMPLETION_QUEUE_ERROR,
                number,
                ("%s of %d ran over and lost a completion of %s, and all queue pairs that use it"
                                + " failed; make it as large as all work that may complete before"
                                + " it is polled")
                        .formatted(this, capacity, queuePair));
    }

    public boolean isOverrun() {
        return overrun;
    }

    @SuppressWarnings("EnumOrdinal") // indexes of this process, never stored
    private static long pack(
            CompletionStatus status, CompletedOperation operation, int flags, int queuePair) {
        return status.ordinal()
                | ((long) operation.ordinal() << 8)
                | ((long) flags << 16)
                | ((long) queuePair << 32);
    }

    private void tell(boolean solicited) {
        if (armed == Notification.ANY || solicited) {
            armed = null;
            if (listener != null) {
                table.notices.add(notification);
            }
        }
    }

    /// Whatever the program throws, the device goes on.
    private void notifyListener() {
        Runnable called = listener;
        if (called == null || closed) {
            return;
        }
        try {
            called.run();
        } catch (Throwable thrown) {
            table.counters.add(Counter.FAILED_LISTENER);
            Thread self = Thread.currentThread();
            try {
                self.getUncaughtExceptionHandler().uncaughtException(self, thrown);
            } catch (Throwable ofTheHandler) {
                // The handler is the program's too.
            }
        }
    }

    private int at(long position) {
        return ((int) position & (entries.length / STRIDE - 1)) * STRIDE;
    }

    private void grow() {
        int count = entries.length / STRIDE;
        long[] larger = new long[entries.length * 2];
        for (int i = 0; i < count; i++) {
            int from = at(head + i);
            int to = ((int) (head + i) & (count * 2 - 1)) * STRIDE;
            System.arraycopy(entries, from, larger, to, STRIDE);
        }
        entries = larger;
    }

    /// A program that waits for a completion that was lost would wait for ever.
    void requireWhole() {
        if (overrun && isEmpty()) {
            throw new WrongStateException(
                    toString(),
                    "it ran over: it holds %d completions, and has lost others".formatted(capacity),
                    "make a larger one, and queue pairs that use it");
        }
    }

    void requireOpen() {
        device.requireNotClosed();
        if (closed) {
            throw ObjectRules.closed(this);
        }
    }

    @Override
    public String toString() {
        return "cq " + number;
    }

    /// Shows the entry that was polled last, from a copy: the ring changes meanwhile.
    private final class Cursor implements Completion {
        private long id;
        private long what;
        private long length;
        private long extra;

        void show(int at) {
            id = entries[at + ID];
            what = entries[at + WHAT];
            length = entries[at + LENGTH];
            extra = entries[at + EXTRA];
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public CompletionStatus status() {
            return STATUSES[(int) what & 0xFF];
        }

        @Override
        public CompletedOperation operation() {
            return OPERATIONS[(int) (what >> 8) & 0xFF];
        }

        @Override
        public long byteLength() {
            return length & LENGTH_MASK;
        }

        @Override
        public int queuePair() {
            return (int) (what >>> 32);
        }

        @Override
        public boolean hasImmediate() {
            return has(IMMEDIATE);
        }

        @Override
        public int immediate() {
            return hasImmediate() ? (int) extra : 0;
        }

        @Override
        public boolean hasInvalidatedKey() {
            return has(INVALIDATED);
        }

        @Override
        public int invalidatedKey() {
            return hasInvalidatedKey() ? (int) extra : 0;
        }

        @Override
        public boolean isSolicited() {
            return has(SOLICITED);
        }

        @Override
        public int sourceQueuePair() {
            return (int) (length >>> LENGTH_BITS);
        }

        @Override
        public int sourceLid() {
            return (int) (extra >>> 32) & 0xFFFF;
        }

        @Override
        public int serviceLevel() {
            return (int) (extra >>> 48) & 0xF;
        }

        @Override
        public boolean hasGlobalHeader() {
            return has(GLOBAL);
        }

        @Override
        public int vendorError() {
            return isSuccess() ? 0 : (int) extra;
        }

        @Override
        public String explanation() {
            String meaning = status().explanation();
            int error = vendorError();
            return error == 0 ? meaning : meaning + " " + device.driver.explain(error);
        }

        private boolean has(int flag) {
            return (what & ((long) flag << 16)) != 0;
        }

        @Override
        public String toString() {
            return ObjectNames.completion(this);
        }
    }
}
