package dev.verbena.verbs.spi;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/// For providers: frees memory, and what a thread of the program has in a system call just now as
/// soon as the thread is back.
public final class LateFrees {
    private static final long STEP_MS = 50;
    private static final List<Arena> LEFT = new ArrayList<>();

    private LateFrees() {}

    /// Closes an arena, now or later.
    public static void free(Arena arena) {
        if (!isFreed(arena)) {
            synchronized (LEFT) {
                LEFT.add(arena);
                if (LEFT.size() == 1) {
                    Thread.ofVirtual().name("verbena frees memory").start(LateFrees::run);
                }
            }
        }
    }

    /// Until nothing is left.
    private static void run() {
        boolean isDone = false;
        while (!isDone) {
            try {
                Thread.sleep(STEP_MS);
            } catch (InterruptedException useless) {
                // No program has this thread.
            }
            synchronized (LEFT) {
                LEFT.removeIf(LateFrees::isFreed);
                isDone = LEFT.isEmpty();
            }
        }
    }

    private static boolean isFreed(Arena arena) {
        try {
            arena.close();
            return true;
        } catch (IllegalStateException inUse) {
            return !arena.scope().isAlive();
        }
    }
}
