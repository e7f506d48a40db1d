package dev.verbena.transport;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/// Frees memory that a thread of the program had in a system call when its device was closed, as
/// soon as it is back.
final class LateFrees {
    private static final long STEP_MS = 50;
    private static final List<Arena> LEFT = new ArrayList<>();

    private LateFrees() {}

    static void add(List<Arena> arenas) {
        synchronized (LEFT) {
            boolean isFirst = LEFT.isEmpty() && !arenas.isEmpty();
            LEFT.addAll(arenas);
            if (isFirst) {
                Thread.ofVirtual().name("verbena frees memory").start(LateFrees::run);
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
