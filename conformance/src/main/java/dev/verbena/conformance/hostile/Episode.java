package dev.verbena.conformance.hostile;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Two devices, a few threads, some dozens of actions each, and a look at what is left.
final class Episode {
    private static final int CONNECTED = 2;
    private static final int REGIONS = 3;
    private static final long JOIN_MS = 120_000;
    private static final long FLUSH_MS = 10_000;

    final int acts;
    final Rules rules;
    final Tally tally;
    final Ledger ledger = new Ledger();
    private final List<Side> sides = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<@Nullable AssertionError> failure = new AtomicReference<>();

    Episode(Tally tally, int acts, Rules rules) {
        this.tally = tally;
        this.acts = acts;
        this.rules = rules;
    }

    /// Runs it; throws when something is wrong.
    void run(IntFunction<Device> opener, SplittableRandom random) throws InterruptedException {
        try {
            open(opener, random);
            if (rules.isOneThread()) {
                threads.add(Thread.currentThread());
                new Worker(this, random).run();
                Thread.interrupted();
            } else {
                runThreads(random);
            }
            settle();
        } finally {
            close();
        }
        AssertionError failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    private void runThreads(SplittableRandom random) throws InterruptedException {
        int workers = 2 + random.nextInt(3);
        for (int i = 0; i < workers; i++) {
            Worker worker = new Worker(this, random.split());
            boolean isVirtual = random.nextInt(4) == 0;
            threads.add(
                    isVirtual
                            ? Thread.ofVirtual().unstarted(worker)
                            : Thread.ofPlatform().daemon().unstarted(worker));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join(JOIN_MS);
            if (thread.isAlive()) {
                showThreads();
                fail("a thread hangs: " + List.of(thread.getStackTrace()), null);
            }
        }
    }

    /// What a thread waits for may be in the hands of any other.
    private void showThreads() {
        Set<Thread> all = new LinkedHashSet<>(threads);
        all.addAll(Thread.getAllStackTraces().keySet());
        for (Thread thread : all) {
            System.out.println(thread + " " + thread.getState());
            for (StackTraceElement call : thread.getStackTrace()) {
                System.out.println("    " + call);
            }
        }
    }

    private void open(IntFunction<Device> opener, SplittableRandom random) {
        for (int i = 0; i < 2; i++) {
            Side side = new Side(opener.apply(i), i);
            sides.add(side);
            for (int k = 0; k < REGIONS; k++) {
                side.register(random);
            }
        }
        for (int i = 0; i < CONNECTED; i++) {
            Pair left = made(sides.get(0).newPair());
            Pair right = made(sides.get(1).newPair());
            left.queuePair.connect(right.queuePair.endpoint(), it -> it.timeout(10).retryCount(2));
            right.queuePair.connect(left.queuePair.endpoint(), it -> it.timeout(10).retryCount(2));
        }
    }

    private static Pair made(@Nullable Pair pair) {
        if (pair == null) {
            throw new AssertionError("there is room for the first ones");
        }
        return pair;
    }

    /// Ends all work that is left, and looks at the results.
    private void settle() {
        for (Side side : sides) {
            for (Pair pair : side.pairs) {
                try {
                    pair.queuePair.modify(QueuePairState.ERROR, it -> {});
                } catch (VerbsException closed) {
                    // It has ended before.
                }
            }
        }
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FLUSH_MS);
        do {
            sides.forEach(this::emptyQueue);
        } while (!ledger.faults().isEmpty() && System.nanoTime() - endNs < 0);
        for (Side side : sides) {
            if (side.hasForeignByte()) {
                fail("a foreign byte in memory of " + side.device.name(), null);
            }
        }
        List<String> faults = ledger.faults();
        if (!faults.isEmpty()) {
            fail(String.join("; ", faults), null);
        }
    }

    /// A device of its own pace completes what it flushes a little later.
    private void emptyQueue(Side side) {
        try {
            while (side.queue.poll(256, ledger::completed) > 0) {
                // Until it is empty.
            }
        } catch (VerbsException closed) {
            side.isForgetful = true;
        }
    }

    private void close() {
        for (Side side : sides) {
            side.device.close();
            for (Closable memory : side.closables) {
                if (memory.arena().scope().isAlive()) {
                    // Nothing may hold it once its device has ended.
                    memory.arena().close();
                }
            }
        }
    }

    Side side(SplittableRandom random) {
        return sides.get(random.nextInt(2));
    }

    Side other(Side side) {
        return sides.get(1 - sides.indexOf(side));
    }

    void interruptOne(SplittableRandom random) {
        threads.get(random.nextInt(threads.size())).interrupt();
    }

    boolean isFailed() {
        return failure.get() != null;
    }

    void fail(String what, @Nullable Throwable cause) {
        failure.compareAndSet(null, new AssertionError(what, cause));
    }
}
