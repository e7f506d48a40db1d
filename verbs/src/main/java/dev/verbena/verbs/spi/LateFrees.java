package dev.verbena.verbs.spi;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/// For providers: frees memory, and what a thread of the program has in a system call just now as
/// soon as the thread is back.
public final class LateFrees {
    private static final long STEP_MS = 50;
    private static final List<Arena> LEFT = new ArrayList<>();

    /// Whether a thread looks after them; used with the lock of the list.
    private static boolean isLookedAfter;

    private LateFrees() {}

    /// Closes an arena, now or later.
    public static void free(Arena arena) {
        if (!isFreed(arena)) {
            synchronized (LEFT) {
                LEFT.add(arena);
                if (!isLookedAfter) {
                    Thread.ofVirtual().name("verbena frees memory").start(LateFrees::run);
                    isLookedAfter = true;
                }
            }
        }
    }

    /// Until nothing is left.
    private static void run() {
        while (true) {
            try {
                Thread.sleep(STEP_MS);
            } catch (InterruptedException useless) {
                // No program has this thread.
            }
            synchronized (LEFT) {
                isLookedAfter = false; // and stays so when this throws: the next one begins again
                LEFT.removeIf(LateFrees::isFreed);
                isLookedAfter = !LEFT.isEmpty();
                if (!isLookedAfter) {
                    return;
                }
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
