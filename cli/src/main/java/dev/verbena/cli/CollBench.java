package dev.verbena.cli;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import dev.verbena.cli.CollTable.Cell;
import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.RankFailedException;
import dev.verbena.collectives.TraceGathering;
import dev.verbena.collectives.Work;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.memory.Span;
import dev.verbena.collectives.trace.RankTrace;
import dev.verbena.collectives.trace.StepTrace;
import dev.verbena.collectives.trace.Verdict;
import dev.verbena.job.NcclOperation;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Measures an operation with live ranks; each rank runs this.
final class CollBench {
    /// Each rank's part has then several pieces, which are under way together: what the compiler
    /// has not seen it compiles again, while the ranks want the processors.
    private static final long WARM_BYTES_OF_RANK = 2 << 20;

    private static final long WARM_BYTES_MAX = 32 << 20;
    private static final int WARM_ROUND = 20;

    /// The longest time to warm up, in wanted ones.
    private static final int WARM_LIMIT = 8;

    private final Communicator ranks;
    private final NcclOperation operation;
    private final CollFlags flags;
    private final CollEyes eyes;
    private final StepTrace trace;
    private final long sleepNs;
    private final CollData data;
    private final RankMemory numbers;

    CollBench(Communicator ranks, NcclOperation operation, CollFlags flags, CollEyes eyes) {
        this.ranks = ranks;
        this.operation = operation;
        this.flags = flags;
        this.eyes = eyes;
        trace = new StepTrace(eyes.isOn() ? eyes.steps() : 1, System::nanoTime);
        sleepNs = eyes.sleepNs(ranks.rank());
        data = new CollData(operation, flags, ranks.size());
        numbers = ranks.allocate(16);
    }

    /// @param out null where another rank prints
    boolean run(@Nullable PrintWriter out) throws IOException, RankFailedException {
        var sizes = flags.sizes(operation, ranks.size());
        long most = sizes.stream().mapToLong(it -> it).max().orElse(1);
        try (RankMemory left = ranks.allocate(most);
                RankMemory right = ranks.allocate(most)) {
            warmUp(sizes, left, right);
            CollTable table =
                    out == null ? null : new CollTable(out, operation, flags, ranks.size());
            if (table != null) {
                table.head();
            }
            boolean isRight = true;
            for (long size : sizes) {
                Cell outOfPlace = measure(left, right, size);
                Cell inPlace =
                        operation == NcclOperation.ALLTOALL
                                ? Cell.EMPTY
                                : measure(right, right, size);
                if (table != null) {
                    table.add(size, outOfPlace, inPlace);
                }
                isRight &= outOfPlace.wrong() <= 0 && inPlace.wrong() <= 0;
            }
            if (table != null) {
                table.notes(ranks.notes());
                table.foot();
            }
            if (eyes.isOn()) {
                look(out);
            }
            ranks.barrier().await();
            return isRight;
        }
    }

    private void look(@Nullable PrintWriter out) throws IOException, RankFailedException {
        List<RankTrace> traces = TraceGathering.gather(ranks, trace);
        if (out != null) {
            eyes.tell(traces, () -> Verdict.of(traces), out);
        }
    }

    /// Java's compiler has much to do, and only what the ranks leave it of the processors: so this
    /// goes on until it has little more to do at any rank, within limits.
    private void warmUp(List<Long> sizes, RankMemory left, RankMemory right)
            throws RankFailedException {
        long wantedNs = flags.warmUpMs * 1_000_000L;
        long endNs = System.nanoTime() + WARM_LIMIT * wantedNs;
        CompilerRest rest = new CompilerRest(wantedNs);
        boolean isMore = true;
        while (isMore) {
            round(sizes, left, right);
            boolean isCold = !rest.isReached() && System.nanoTime() < endNs;
            isMore = sum(isCold ? 1 : 0) > 0;
        }
    }

    /// All sizes, but none that takes long, and both kinds of output.
    private void round(List<Long> sizes, RankMemory left, RankMemory right)
            throws RankFailedException {
        long unit = (long) flags.type().bytes() * (operation.isSplit() ? ranks.size() : 1);
        long most = Math.min(WARM_BYTES_OF_RANK * ranks.size(), WARM_BYTES_MAX);
        for (int i = 0; i < Math.max(WARM_ROUND, 2 * sizes.size()); i++) {
            long size = Math.min(sizes.get(i % sizes.size()), most);
            boolean isInPlace = i / sizes.size() % 2 > 0 && operation != NcclOperation.ALLTOALL;
            once(isInPlace ? right : left, right, Math.max(unit, size / unit * unit)).await();
        }
        // As before each measurement: what the compiler has not seen makes it begin again.
        ranks.barrier().await();
    }

    private Work once(RankMemory left, RankMemory right, long size) {
        return operation.begin(
                ranks,
                from(left, right, size),
                to(left, right, size),
                flags.type(),
                flags.reduction,
                flags.root);
    }

    private Span from(RankMemory left, RankMemory right, long size) {
        return left == right
                ? operation.inPlaceInput(left.span(0, size), ranks.rank(), ranks.size())
                : left.span(0, operation.inputBytes(size, ranks.size()));
    }

    private Span to(RankMemory left, RankMemory right, long size) {
        return left == right
                ? operation.inPlaceOutput(right.span(0, size), ranks.rank(), ranks.size())
                : right.span(0, operation.outputBytes(size, ranks.size()));
    }

    private Cell measure(RankMemory left, RankMemory right, long size) throws RankFailedException {
        for (int i = 0; i < flags.warmup; i++) {
            once(left, right, size).await();
        }
        ranks.barrier().await();
        if (eyes.isOn()) {
            ranks.traceTo(trace);
        }
        long startNs = System.nanoTime();
        for (int i = 0; i < flags.iterations; i++) {
            sleep();
            once(left, right, size).await();
        }
        ranks.traceTo(null);
        double ns = (double) (System.nanoTime() - startNs) / flags.iterations;
        double mean = sum(ns) / ranks.size();
        return new Cell(mean / 1000, flags.check == 0 ? -1 : check(left, right, size));
    }

    /// As a rank that is busy elsewhere.
    private void sleep() {
        if (sleepNs > 0) {
            LockSupport.parkNanos(sleepNs);
        }
    }

    private long check(RankMemory left, RankMemory right, long size) throws RankFailedException {
        Span from = from(left, right, size);
        Span to = to(left, right, size);
        if (left == right) {
            data.clear(right.span(0, size));
        } else {
            data.clear(to);
        }
        data.fill(from, ranks.rank());
        once(left, right, size).await();
        return (long) sum((double) data.wrong(to, ranks.rank()));
    }

    /// The sum of a number of each rank.
    private double sum(double own) throws RankFailedException {
        numbers.segment().set(JAVA_DOUBLE, 0, own);
        ranks.allReduce(numbers.span(0, 8), numbers.span(8, 8), ElementType.FLOAT64, Reduction.SUM)
                .await();
        return numbers.segment().get(JAVA_DOUBLE, 8);
    }
}
