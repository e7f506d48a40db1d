package dev.verbena.cli.metrics;

import java.io.IOException;

/// Shows the figures of a program. Calls come from one thread at a time.
public interface MetricSink extends AutoCloseable {
    /// Shows nothing.
    MetricSink NONE =
            new MetricSink() {
                @Override
                public void publish(MetricText figures) {
                    // No one asked for them.
                }

                @Override
                public void close() {
                    // Nothing is open.
                }
            };

    /// Shows these figures, in the place of the last.
    void publish(MetricText figures);

    @Override
    void close() throws IOException;
}
