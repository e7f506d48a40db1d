package dev.verbena.ibverbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The one thread of a device that waits in the kernel: for the events of completion queues that
/// were armed, and for those of connections.
///
/// Threads that wait for a completion are parked, so that a virtual thread occupies no carrier
/// thread. The event thread starts when the first queue is armed, and ends with the device.
final class EventThread {
    private static final int ENTRY = 8;

    /// Something else that has a file to wait on.
    interface Source {
        int file();

        /// Processes the events that have arrived, without waiting.
        void take();
    }

    private final IbvContext context;
    private final Map<Integer, IbvCompletionQueue> queues = new ConcurrentHashMap<>();
    private final Map<Integer, Source> sources = new ConcurrentHashMap<>();
    private long channel;
    private int wake = -1;
    private volatile boolean stopped;
    private volatile @Nullable Thread thread;

    EventThread(IbvContext context) {
        this.context = context;
    }

    /// The channel that completion queues are made with; with the device's lock held.
    long channel() {
        if (channel == 0) {
            channel = context.verbs.createChannel(context.settings.name(), context.address);
            Posix.unblock(Memory.getInt(channel + Structs.Channel.FD));
        }
        return channel;
    }

    void add(IbvCompletionQueue queue) {
        queues.put(queue.number(), queue);
    }

    void remove(IbvCompletionQueue queue) {
        queues.remove(queue.number());
    }

    void add(Source source) {
        sources.put(source.file(), source);
        start();
        wakeUp();
    }

    void remove(Source source) {
        sources.remove(source.file());
        wakeUp();
    }

    /// Begins to wait, unless it does already.
    void start() {
        if (thread != null) {
            return;
        }
        context.lock.lock();
        try {
            if (thread == null && !stopped) {
                wake = Posix.eventFile();
                channel();
                Thread started =
                        Thread.ofPlatform()
                                .daemon()
                                .name("verbena " + context.settings.name())
                                .unstarted(this::run);
                thread = started;
                started.start();
            }
        } finally {
            context.lock.unlock();
        }
    }

    private void run() {
        try (Arena arena = Arena.ofConfined()) {
            long scratch = arena.allocate(2L * ENTRY, ENTRY).address();
            while (!stopped) {
                int[] files = files();
                MemorySegment list = arena.allocate((long) Posix.POLL_SIZE * files.length, ENTRY);
                await(list.address(), files, scratch);
            }
        }
    }

    /// Waits on these files until they are others.
    private void await(long list, int[] files, long scratch) {
        for (int i = 0; i < files.length; i++) {
            long at = list + (long) i * Posix.POLL_SIZE;
            Memory.putInt(at, files[i]);
            Memory.putShort(at + Posix.POLL_EVENTS, Posix.POLL_IN);
        }
        boolean same = true;
        while (same && !stopped) {
            if (Posix.poll(list, files.length, -1) < 0) {
                continue; // a signal
            }
            for (int i = 0; i < files.length && !stopped; i++) {
                long at = list + (long) i * Posix.POLL_SIZE;
                int returned = Memory.getShort(at + Posix.POLL_RETURNED);
                if ((returned & Posix.POLL_IN) != 0) {
                    same &= i != 0;
                    guarded(files[i], scratch);
                } else if (returned != 0) {
                    // The device is gone, and would say so without end.
                    Memory.putInt(at, -1);
                }
            }
        }
    }

    private int[] files() {
        int[] others = sources.keySet().stream().mapToInt(Integer::intValue).toArray();
        int[] files = new int[others.length + 2];
        files[0] = wake;
        files[1] = Memory.getInt(channel + Structs.Channel.FD);
        System.arraycopy(others, 0, files, 2, others.length);
        return files;
    }

    /// A listener of the program's that throws must not end the thread, nor be silent.
    private void guarded(int file, long scratch) {
        try {
            take(file, scratch);
        } catch (RuntimeException | Error thrown) {
            Thread self = Thread.currentThread();
            try {
                self.getUncaughtExceptionHandler().uncaughtException(self, thrown);
            } catch (RuntimeException | Error ofTheHandler) {
                // The handler is the program's too, and other queues wait for this thread.
            }
        }
    }

    private void take(int file, long scratch) {
        if (file == wake) {
            Posix.read(wake, scratch, ENTRY);
            return;
        }
        Source source = sources.get(file);
        if (source != null) {
            source.take();
            return;
        }
        // A listener may close the device.
        while (!stopped && context.verbs.channelEvent(channel, scratch, scratch + ENTRY) == 0) {
            // First of all: a queue that has an event cannot be ended.
            context.verbs.acknowledge(Memory.getLong(scratch), 1);
            IbvCompletionQueue queue = queues.get((int) Memory.getLong(scratch + ENTRY));
            if (queue != null) {
                queue.notified();
            }
        }
    }

    private void wakeUp() {
        if (wake >= 0) {
            try (Arena arena = Arena.ofConfined()) {
                long one = arena.allocate(ENTRY, ENTRY).address();
                Memory.putLong(one, 1);
                Posix.write(wake, one, ENTRY);
            }
        }
    }

    /// Ends the thread, and waits for its end; threads that wait for queues are notified. Must not
    /// be called with the device's lock held, which the thread may be waiting for.
    void stop() {
        context.lock.lock();
        try {
            stopped = true;
        } finally {
            context.lock.unlock();
        }
        queues.values().forEach(IbvCompletionQueue::wakeAll);
        Thread running = thread;
        if (running == null) {
            return;
        }
        wakeUp();
        boolean interrupted = false;
        while (running.isAlive() && !running.equals(Thread.currentThread())) {
            try {
                running.join();
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        Posix.close(wake);
    }

    void closeChannel() {
        if (channel != 0) {
            context.verbs.destroyChannel(channel);
        }
    }
}
