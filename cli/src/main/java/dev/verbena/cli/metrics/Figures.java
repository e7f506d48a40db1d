package dev.verbena.cli.metrics;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.function.Consumer;

/// The figures of a program that runs: written now and then, so seldom that it costs next to
/// nothing of the work.
public final class Figures implements AutoCloseable {
    private static final long EVERY_NS = 1_000_000_000L;

    /// So many times as long as writing took.
    private static final long REST = 20;

    private final MetricSink sink;
    private final boolean isWanted;
    private long nextNs = System.nanoTime();

    private Figures(MetricSink sink, boolean isWanted) {
        this.sink = sink;
        this.isWanted = isWanted;
    }

    /// Begins to show figures where a target is named, as [MetricTarget] reads it.
    ///
    /// @param err gets a line when a file cannot be written any more
    public static Figures open(Optional<String> target, PrintWriter err) throws IOException {
        return new Figures(MetricTarget.open(target, err), target.isPresent());
    }

    /// Shows figures if someone wants them and it is time.
    public void look(Consumer<MetricText> writer) {
        if (isWanted && System.nanoTime() - nextNs >= 0) {
            show(writer);
        }
    }

    /// Shows figures now.
    public void show(Consumer<MetricText> writer) {
        if (isWanted) {
            long beganNs = System.nanoTime();
            MetricText text = new MetricText();
            writer.accept(text);
            sink.publish(text);
            long tookNs = System.nanoTime() - beganNs;
            nextNs = beganNs + Math.max(EVERY_NS, REST * tookNs);
        }
    }

    @Override
    public void close() throws IOException {
        sink.close();
    }
}
