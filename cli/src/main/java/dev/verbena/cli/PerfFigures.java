package dev.verbena.cli;

import dev.verbena.cli.metrics.Figures;
import dev.verbena.cli.metrics.MetricText;
import dev.verbena.cli.metrics.RdmaFigures;
import dev.verbena.verbs.Device;
import org.jspecify.annotations.Nullable;

/// The counters of the device of a measurement, for Prometheus, while it runs.
final class PerfFigures implements PerfReport {
    private final Figures figures;
    private @Nullable Device device;

    PerfFigures(Figures figures) {
        this.figures = figures;
    }

    private void write(MetricText text) {
        Device of = device;
        if (of != null) {
            RdmaFigures.write(text, of.name(), of.counters(), true);
        }
    }

    @Override
    public void begin(Setting setting) {
        device = setting.device();
        figures.show(this::write);
    }

    @Override
    public void look() {
        figures.look(this::write);
    }

    @Override
    public void row(PerfResult result, boolean isWarm) {
        figures.show(this::write);
    }

    @Override
    public void samples(double[] values) {
        // Single values are no figures.
    }

    @Override
    public void end() {
        figures.show(this::write);
    }
}
