package dev.verbena.ibverbs.driver;

import java.util.concurrent.locks.LockSupport;

/// The thread of a driver: moves packets while no program calls, and lets time pass.
///
/// The time of the network is that of the machine, some times faster, so that tests of time-outs
/// take little of it. It passes only when the network has nothing to do: a busy machine causes no
/// time-out.
final class Pump {
    private static final int TIMES_FASTER = 10;
    private static final long REST_NS = 200_000;

    /// A thread that had no processor for a while does not make up for it at once.
    private static final long MOST_NS = 20_000_000;

    private final InProcessDriver driver;
    private final Thread thread;
    private volatile boolean isStopped;

    Pump(InProcessDriver driver) {
        this.driver = driver;
        this.thread = Thread.ofPlatform().daemon().name("in-process driver").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        long lastNs = System.nanoTime();
        while (!isStopped) {
            long nowNs = System.nanoTime();
            driver.pass(Math.min(MOST_NS, (nowNs - lastNs) * TIMES_FASTER));
            lastNs = nowNs;
            LockSupport.parkNanos(this, REST_NS);
        }
    }

    void stop() {
        isStopped = true;
        LockSupport.unpark(thread);
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException again) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
