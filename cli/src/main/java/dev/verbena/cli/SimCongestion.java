package dev.verbena.cli;

import dev.verbena.fabric.Marking;
import dev.verbena.fabric.Rate;
import dev.verbena.transport.CongestionSettings;
import dev.verbena.transport.TransportOptions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Congestion control of a simulated RoCE fabric: what NICs do, and when switches mark.
final class SimCongestion {
    /// Where parameters begin.
    enum Preset {
        PUBLISHED,
        PRODUCTION
    }

    @Option(
            names = "--cc",
            paramLabel = "PRESET",
            description =
                    "roce: DCQCN, with the parameters of the paper (published) or of adapters "
                            + "(production); switches mark accordingly (none).")
    @Nullable Preset preset;

    @Option(
            names = "--cc-set",
            paramLabel = "NAME=N",
            description = "One of DCQCN's parameters by mlx5's name, such as rp_ai_rate=5 (Mb/s).")
    Map<String, Long> parameters = new TreeMap<>();

    @Option(
            names = "--mark",
            paramLabel = "KMIN,KMAX,PMAX",
            split = ",",
            description = "roce: switches mark from KMIN bytes of a queue on, up to PMAX at KMAX.")
    List<Double> marks = List.of();

    void apply(TransportOptions options, Rate rate) {
        if (preset == null) {
            if (!parameters.isEmpty()) {
                throw new IllegalArgumentException("--cc-set: needs --cc");
            }
            return;
        }
        long line = rate.bitsPerSecond();
        CongestionSettings settings =
                switch (preset) {
                    case PUBLISHED -> CongestionSettings.published(line);
                    case PRODUCTION -> CongestionSettings.production(line);
                };
        for (Map.Entry<String, Long> each : parameters.entrySet()) {
            settings = settings.with(each.getKey(), each.getValue());
        }
        options.congestion(settings);
    }

    Marking marking(Rate rate) {
        if (!marks.isEmpty()) {
            if (marks.size() != 3) {
                throw new IllegalArgumentException("--mark: write it as 5000,200000,0.01");
            }
            return new Marking(
                    marks.get(0).intValue(), marks.get(1).intValue(), marks.get(2).doubleValue());
        }
        if (preset == null) {
            return Marking.NONE;
        }
        return switch (preset) {
            case PUBLISHED -> Marking.PUBLISHED;
            case PRODUCTION -> Marking.production(rate);
        };
    }
}
