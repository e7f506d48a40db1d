package dev.verbena.cli;

import dev.verbena.collectives.element.ElementType;
import dev.verbena.job.NcclOperation;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/// The table of nccl-tests.
final class CollTable {
    private static final String NONE = "N/A";

    /// One measurement.
    ///
    /// @param wrong elements that were wrong, or -1 where they were not checked
    record Cell(double us, long wrong) {
        /// A column that does not apply.
        static final Cell EMPTY = new Cell(0, -1);

        boolean isEmpty() {
            return us == 0;
        }
    }

    private final PrintWriter out;
    private final NcclOperation operation;
    private final CollFlags flags;
    private final int ranks;
    private double busSum;
    private int cells;
    private long wrong;

    CollTable(PrintWriter out, NcclOperation operation, CollFlags flags, int ranks) {
        this.out = out;
        this.operation = operation;
        this.flags = flags;
        this.ranks = ranks;
    }

    void head() {
        out.printf(
                Locale.ROOT,
                "#%n# %s, %d ranks: minBytes %d maxBytes %d step: %s warmup iters: %d iters: %d%n",
                operation,
                ranks,
                flags.first,
                flags.last,
                flags.step > 0 ? flags.step + "(bytes)" : flags.factor + "(factor)",
                flags.warmup,
                flags.iterations);
        out.printf("#%n# %50s%34s%n", "out-of-place", "in-place");
        row("size", "count", "type", "redop", "root", "time", "algbw", "busbw", "#wrong");
        row("(B)", "(elements)", "", "", "", "(us)", "(GB/s)", "(GB/s)", "");
        out.flush();
    }

    private void row(String... it) {
        String row =
                "# %10s %10s %8s %5s %4s %9s %6s %6s %6s %9s %6s %6s %6s"
                        .formatted(
                                it[0], it[1], it[2], it[3], it[4], it[5], it[6], it[7], it[8],
                                it[5], it[6], it[7], it[8]);
        out.println(row.stripTrailing());
    }

    void add(long bytes, Cell outOfPlace, Cell inPlace) {
        ElementType type = flags.type();
        out.printf(
                Locale.ROOT,
                "  %10d %10d %8s %5s %4d%s%s%n",
                bytes,
                bytes / type.bytes() / (operation.isSplit() ? ranks : 1),
                type,
                operation.isReduction() ? flags.reduction : "none",
                operation.hasRoot() ? flags.root : -1,
                text(bytes, outOfPlace),
                text(bytes, inPlace));
        out.flush();
    }

    private String text(long bytes, Cell cell) {
        if (cell.isEmpty()) {
            return " %9s %6s %6s %6s".formatted(NONE, NONE, NONE, NONE);
        }
        double algorithm = bytes / cell.us / 1000;
        double bus = algorithm * operation.busFactor(ranks);
        busSum += bus;
        cells++;
        wrong += Math.max(0, cell.wrong);
        String times = cell.us < 10_000 ? "%.2f" : "%.0f";
        return String.format(
                Locale.ROOT,
                " %9s %6.2f %6.2f %6s",
                String.format(Locale.ROOT, times, cell.us),
                algorithm,
                bus,
                cell.wrong < 0 ? NONE : Long.toString(cell.wrong));
    }

    /// What was not carried out as it was asked for.
    void notes(List<String> notes) {
        notes.forEach(it -> out.printf("# note: %s%n", it));
    }

    /// Prints the sums; returns whether all results were right.
    boolean foot() {
        out.printf("# Out of bounds values : %d %s%n", wrong, wrong == 0 ? "OK" : "FAILED");
        out.printf(Locale.ROOT, "# Avg bus bandwidth    : %.4g%n#%n", busSum / Math.max(1, cells));
        out.flush();
        return wrong == 0;
    }
}
