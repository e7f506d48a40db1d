package dev.verbena.cli;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Runs one side of a test against the other, which is behind an exchange.
///
/// Client and server do the same: each runs its part, says that it is done, and goes on answering
/// until the other says so too.
final class PerfSession {
    /// How often a side that is not done looks whether the other is still there.
    private static final int TURNS_AT_WORK = 1 << 16;

    private static final int TURNS_IN_WAIT = 1 << 8;

    /// The same where a turn may sleep.
    private static final long LOOK_NS = 10_000_000;

    /// A socket out of which nothing has come for so long is empty.
    private static final long QUIET_NS = 20_000_000;

    private static final long STALL_NS = 30_000_000_000L;
    private static final int WARM_AGAIN_MS = 200;
    private static final int WARM_UP_PARTS = 4;
    private static final int WARM_UP_PARTS_MAX = 16;

    /// By how much a part of the warm-up is faster than those before while the compiler works.
    private static final double FASTER = 1.03;

    /// By how much the measured part is faster when the warm-up has ended too early.
    private static final double MUCH_FASTER = 1.1;

    private static final String RESTED = "rested";
    private static final int COMPILER_NAPS = 20;
    private static final int COMPILER_NAP_MS = 50;

    /// After so few of them the compiler has only small things left.
    private static final int COMPILED_NAPS = 3;

    /// The clock of the processor's time goes in steps of so much.
    private static final int CPU_CLOCK_MS = 10;

    private final PerfExchange exchange;
    private final PerfEnd end;
    private final boolean isClient;
    private final int keptMax;
    private final Runnable look;
    private boolean hasWarmedUp;

    /// The fastest part of the last warm-up, and whether it was the end of becoming faster.
    private double warmRate;

    private boolean isSteady;
    private boolean isWarm = true;

    /// Messages of the last phase that have not arrived at the peer.
    private long lost;

    /// @param look is called again and again, and returns at once most of the time
    PerfSession(PerfExchange exchange, PerfEnd end, boolean isClient, int keptMax, Runnable look) {
        this.look = look;
        this.exchange = exchange;
        this.end = end;
        this.isClient = isClient;
        this.keptMax = keptMax;
    }

    /// The side for one size. A new one each time: queues and memory stay, counters do not.
    PerfSide side(int bytes) {
        return PerfSide.of(end, bytes, isClient, keptMax);
    }

    /// Warms up, measures, and returns the result: of this side, of the peer, or of both.
    PerfResult run(PerfSide side) {
        PerfOptions options = end.options;
        warmUp(side);
        long durationNs = options.amount().durationSeconds() * 1_000_000_000L;
        if (durationNs > 0) {
            side.begin(Long.MAX_VALUE, System.nanoTime() + durationNs, true);
        } else {
            side.begin(
                    options.amount().iterations(), System.nanoTime() + (Long.MAX_VALUE >> 1), true);
        }
        PerfResult there = PerfResult.parse(phase(side));
        PerfResult here = side.result();
        isWarm = isSteady && rate(here) + rate(there) <= warmRate * MUCH_FASTER;
        if (here instanceof PerfResult.Bandwidth mine) {
            here = mine.withLost(lost);
        }
        if (here instanceof PerfResult.Bandwidth mine
                && there instanceof PerfResult.Bandwidth theirs) {
            return mine.plus(theirs);
        }
        return here instanceof PerfResult.None ? there : here;
    }

    /// In parts: what the end of a phase does is then known to the compiler as well, and the code
    /// that it has made is not thrown away when the measuring begins. As long as a part is faster
    /// than all before it, another follows; both sides see the same figures, and so agree.
    private void warmUp(PerfSide side) {
        int wholeMs = end.options.amount().warmUpMs();
        int warmUpMs = hasWarmedUp ? Math.min(WARM_AGAIN_MS, wholeMs) : wholeMs;
        int parts = hasWarmedUp ? WARM_UP_PARTS : WARM_UP_PARTS_MAX;
        isSteady = hasWarmedUp;
        hasWarmedUp = wholeMs > 0;
        warmRate = 0;
        int noFaster = 0;
        for (int part = 1; part <= parts && warmUpMs > 0; part++) {
            long partNs = warmUpMs * 1_000_000L / WARM_UP_PARTS;
            side.begin(Long.MAX_VALUE, System.nanoTime() + partNs, false);
            PerfResult there = PerfResult.parse(phase(side));
            PerfResult here = PerfResult.parse(side.result().toText());
            double rate = rate(there) + rate(here);
            // Nobody sends to a side that sleeps. Also, both know whether both are compiled.
            boolean isCompiled = letCompile();
            exchange.send(RESTED + " " + isCompiled);
            isCompiled &= exchange.await(RESTED, STALL_NS, end::progress).equals("true");
            // One slow part may be the machine's.
            noFaster = isCompiled && rate <= warmRate * FASTER ? noFaster + 1 : 0;
            if (part >= WARM_UP_PARTS && noFaster >= 2) {
                isSteady = true;
                return;
            }
            warmRate = Math.max(warmRate, rate);
        }
    }

    /// Both ends keep a processor busy, and where there are few the compiler finds no time beside
    /// them. Here this process does nothing else until the compiler is done, or for a second.
    /// Returns whether the compiler had next to nothing to do.
    private static boolean letCompile() {
        long before = cpuMs();
        for (int i = 0; i < COMPILER_NAPS; i++) {
            try {
                Thread.sleep(COMPILER_NAP_MS);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return true;
            }
            long now = cpuMs();
            if (now - before < CPU_CLOCK_MS) {
                return i < COMPILED_NAPS;
            }
            before = now;
        }
        return false;
    }

    private static long cpuMs() {
        return ProcessHandle.current().info().totalCpuDuration().map(Duration::toMillis).orElse(0L);
    }

    /// Whether the last result is of compiled code: it was not becoming faster any more when the
    /// measuring began, nor is it much faster than the warm-up was.
    boolean isWarm() {
        return isWarm;
    }

    private static double rate(PerfResult result) {
        return result instanceof PerfResult.Bandwidth one ? one.average() : 0;
    }

    /// Drives the side until both are done; returns the answer of the peer.
    private String phase(PerfSide side) {
        boolean isTold = false;
        @Nullable String heard = null;
        long moved = side.moved();
        long movedNs = System.nanoTime();
        while (!isTold || heard == null) {
            turns(side, isTold);
            look.run();
            if (!isTold && side.isFinished()) {
                isTold = true;
                exchange.send("done " + side.result().toText());
            }
            if (heard == null) {
                heard = exchange.poll();
            }
            long nowNs = System.nanoTime();
            if (side.moved() != moved) {
                moved = side.moved();
                movedNs = nowNs;
            } else if (!isTold && nowNs - movedNs > STALL_NS) {
                throw new PerfException(
                        "qp 0x%x: no completion for %d s; check the output of the peer"
                                .formatted(end.pairs[0].number(), STALL_NS / 1_000_000_000L));
            }
        }
        lost = mayLose() ? countLost(side) : 0;
        return PerfExchange.words(heard, "done");
    }

    private void turns(PerfSide side, boolean isTold) {
        int most = isTold ? TURNS_IN_WAIT : TURNS_AT_WORK;
        boolean sleeps = !end.options.isCaller() || end.options.measure().kind() == PerfKind.BW;
        long untilNs = System.nanoTime() + LOOK_NS;
        for (int i = 0; i < most && (isTold || !side.isFinished()); i++) {
            side.turn();
            if (sleeps && System.nanoTime() - untilNs >= 0) {
                return;
            }
        }
    }

    private boolean mayLose() {
        return end.options.measure().kind() == PerfKind.BW && end.options.mayLose();
    }

    /// Each side says what has come, after all that is in its socket; neither begins anything
    /// before it has heard the other, so that nothing of the next phase is counted.
    private long countLost(PerfSide side) {
        long moved = side.moved();
        long movedNs = System.nanoTime();
        while (System.nanoTime() - movedNs < QUIET_NS) {
            side.turn();
            if (side.moved() != moved) {
                moved = side.moved();
                movedNs = System.nanoTime();
            }
        }
        exchange.send("came " + side.takeReceived());
        String came = exchange.await("came", STALL_NS, side::turn);
        return side.sent() - PerfExchange.count(came);
    }
}
