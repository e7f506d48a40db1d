package dev.verbena.interop.matrix;

import java.util.List;
import java.util.Locale;

/// The laboratory's cable, `interop/rxe/link.c`, which loses, doubles and delays packets by seed.
final class Cable implements AutoCloseable {
    private final LineClient link;

    Cable(LineClient link) {
        this.link = link;
    }

    /// Starts faults of a kind, and counting.
    void set(Faults faults, long seed) {
        link.ask(
                "faults %s %s %s %d"
                        .formatted(
                                text(faults.loss()),
                                text(faults.duplication()),
                                text(faults.reordering()),
                                seed));
    }

    /// What became of packets since then.
    Counts counts() {
        List<String> words = link.ask("counts");
        return new Counts(
                Long.parseLong(words.get(1)),
                Long.parseLong(words.get(3)),
                Long.parseLong(words.get(5)),
                Long.parseLong(words.get(7)),
                Long.parseLong(words.get(9)));
    }

    private static String text(double probability) {
        return String.format(Locale.ROOT, "%.4f", probability);
    }

    @Override
    public void close() {
        link.close();
    }

    /// @param passed packets that came through at least once
    /// @param overrun packets that were lost because the cable itself was full, which is a fault of
    ///   the laboratory's
    record Counts(long passed, long lost, long duplicated, long reordered, long overrun) {
        static final Counts NONE = new Counts(0, 0, 0, 0, 0);
    }
}
