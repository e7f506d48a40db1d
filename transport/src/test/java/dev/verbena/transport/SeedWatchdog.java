package dev.verbena.transport;

import java.time.Duration;

/// Reports a seed that does not end: a device that loops without sending has no step at which a
/// test could stop it.
final class SeedWatchdog {
    private static final long PATIENCE_MS = 120_000;

    private volatile long seed;
    private volatile long begunMs = Long.MAX_VALUE;

    SeedWatchdog() {
        Thread runner = Thread.currentThread();
        Thread.ofPlatform().daemon().name("seed watch").start(() -> sentPackets(runner));
    }

    void begins(long next) {
        seed = next;
        begunMs = System.currentTimeMillis();
    }

    void ends() {
        begunMs = Long.MAX_VALUE;
    }

    private void sentPackets(Thread runner) {
        try {
            while (!runner.join(Duration.ofSeconds(1))) {
                if (System.currentTimeMillis() - begunMs > PATIENCE_MS) {
                    tell(runner);
                    // Nothing in this process can stop it, and what waits for it should not.
                    Runtime.getRuntime().halt(1);
                }
            }
        } catch (InterruptedException _) {
            // Only the end of the process does that.
        }
    }

    private void tell(Thread runner) {
        System.out.printf("seed %d does not end; it is at%n", seed);
        for (StackTraceElement frame : runner.getStackTrace()) {
            System.out.println("    " + frame);
        }
    }
}
