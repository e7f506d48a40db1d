package dev.verbena.cli;

import dev.verbena.fabric.Marking;
import dev.verbena.fabric.Rate;
import dev.verbena.transport.TransportOptions;
import dev.verbena.transport.carrier.CongestionSettings;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// Congestion control of a simulated RoCE fabric: the parameters of NICs, and when switches mark.
final class SimCongestion {
    /// The one parameter that is a number of bytes.
    private static final String IN_BYTES = "rp_byte_reset";

    /// The parameters before `--cc-set` changes them.
    enum Preset {
        PUBLISHED,
        ADAPTER,
        PRODUCTION
    }

    /// The paper's parameters are for this rate, and are warned of at rates further from it.
    private static final double PUBLISHED_GBITS = 40;

    private static final double FAR = 2;

    @Option(
            names = "--cc",
            paramLabel = "PRESET",
            description =
                    "roce: DCQCN congestion control. published: with the parameters and marks "
                            + "of the paper, for 40 Gb/s; adapter: with the defaults of "
                            + "adapters; production: in proportion to the rate, as in HPCC's "
                            + "simulations (off).")
    @Nullable Preset preset;

    @Option(
            names = "--cc-set",
            paramLabel = "NAME=N",
            description =
                    "roce: a parameter of DCQCN by its name in mlx5, with --cc: rp_ai_rate=5 "
                            + "(rates in Mb/s, times in us).")
    Map<String, String> parameters = new TreeMap<>();

    @Option(
            names = "--mark",
            paramLabel = "KMIN,KMAX,PMAX",
            description =
                    "roce: when switches mark, with --cc: no packet up to KMIN bytes in a queue, "
                            + "then a share that grows to PMAX at KMAX, all above "
                            + "(as the preset).")
    @Nullable String marks;

    void apply(TransportOptions options, Rate rate) {
        if (preset == null) {
            return;
        }
        long line = rate.bitsPerSecond();
        CongestionSettings settings =
                switch (preset) {
                    case PUBLISHED -> CongestionSettings.published(line);
                    case ADAPTER -> CongestionSettings.adapter(line);
                    case PRODUCTION -> CongestionSettings.production(line);
                };
        for (Map.Entry<String, String> each : parameters.entrySet()) {
            settings = settings.with(each.getKey(), value(each.getKey(), each.getValue()));
        }
        options.congestion(settings);
    }

    private static long value(String name, String text) {
        try {
            return name.equals(IN_BYTES) ? ByteCount.parse(text) : Long.parseLong(text);
        } catch (NumberFormatException | TypeConversionException malformed) {
            throw new IllegalArgumentException(
                    "--cc-set %s=%s: not a number".formatted(name, text), malformed);
        }
    }

    boolean isOn() {
        return preset != null;
    }

    /// What the user should know of these parameters at this rate.
    Optional<String> warning(Rate rate) {
        double times = rate.bitsPerSecond() / 1e9 / PUBLISHED_GBITS;
        if (preset != Preset.PUBLISHED || (times <= FAR && times >= 1 / FAR)) {
            return Optional.empty();
        }
        return Optional.of(
                "--cc published has the paper's parameters and marks, which are for 40 Gb/s, not"
                        + " for %s: use --cc production, or set them with --cc-set and --mark"
                                .formatted(rate));
    }

    Marking marking(Rate rate) {
        if (marks != null) {
            return parse(marks);
        }
        if (preset == null) {
            return Marking.NONE;
        }
        return switch (preset) {
            case PUBLISHED -> Marking.PUBLISHED;
            case ADAPTER, PRODUCTION -> Marking.production(rate);
        };
    }

    private static Marking parse(String text) {
        String[] parts = text.split(",", -1);
        try {
            if (parts.length == 3) {
                return new Marking(
                        ByteCount.Small.parse(parts[0]),
                        ByteCount.Small.parse(parts[1]),
                        Double.parseDouble(parts[2]));
            }
        } catch (NumberFormatException malformed) {
            // PMAX: the same answer as for a part that is missing.
        } catch (TypeConversionException malformed) {
            throw new IllegalArgumentException(
                    "--mark %s: %s".formatted(text, malformed.getMessage()), malformed);
        }
        throw new IllegalArgumentException("--mark %s: write it as 400K,1600K,0.2".formatted(text));
    }
}
