package dev.verbena.cli;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/// Finds out when Java's compiler has little more to do: in the last part of the time, it worked
/// for a small share.
final class CompilerRest {
    /// The parts of the wanted time that are looked at one by one.
    private static final int PARTS = 4;

    private static final double SHARE = 0.1;

    private final @Nullable CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    private final long partNs;
    private final long untilNs;
    private long sinceNs = System.nanoTime();
    private long compiledMs = compiledMs();
    private boolean isAtRest;

    /// @param wantedNs it is not asked before
    CompilerRest(long wantedNs) {
        partNs = wantedNs / PARTS;
        untilNs = sinceNs + wantedNs;
    }

    /// Whether the time is over, and the compiler at rest. Call it often.
    boolean isReached() {
        long nowNs = System.nanoTime();
        if (nowNs - sinceNs >= partNs) {
            long compiled = compiledMs();
            isAtRest = (compiled - compiledMs) * 1e6 <= SHARE * (nowNs - sinceNs);
            sinceNs = nowNs;
            compiledMs = compiled;
        }
        return isAtRest && nowNs - untilNs >= 0;
    }

    private long compiledMs() {
        return compiler == null || !compiler.isCompilationTimeMonitoringSupported()
                ? 0
                : compiler.getTotalCompilationTime();
    }
}
