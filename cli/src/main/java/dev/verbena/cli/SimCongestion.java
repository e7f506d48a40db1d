package dev.verbena.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.fabric.Marking;
import dev.verbena.fabric.Rate;
import dev.verbena.transport.TransportOptions;
import dev.verbena.transport.carrier.CongestionSettings;
import dev.verbena.transport.control.ControlChoice;
import dev.verbena.transport.control.ControlFacts;
import java.io.IOException;
import java.util.Formatter;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// Congestion control of a simulated RoCE fabric: the parameters of NICs, and when switches mark.
final class SimCongestion {
    /// The one parameter that is a number of bytes.
    private static final String IN_BYTES = "rp_byte_reset";

    private static final String PUBLISHED = "published";

    /// DCQCN's parameters before `--cc-set` changes them.
    private static final Set<String> DCQCN = Set.of(PUBLISHED, "adapter", "production");

    /// Where switches mark for other controllers, in round trips of the line.
    private static final double LEAST_MARKED = 0.2;

    private static final double ALL_MARKED = 0.8;

    /// The paper's parameters are for this rate, and are warned of at rates further from it.
    private static final double PUBLISHED_GBITS = 40;

    private static final double FAR = 2;
    private static final int COLUMNS = 79;

    @Option(
            names = "--cc",
            paramLabel = "NAME",
            description =
                    "roce: congestion control. DCQCN as published (parameters and marks of the "
                            + "paper, for 40 Gb/s), adapter (defaults of adapters) or production "
                            + "(in proportion to the rate, as in HPCC's simulations); swift: by "
                            + "delay; nscc: by marks and delay; or your own by its name (off).")
    @Nullable String name;

    @Option(
            names = "--cc-set",
            paramLabel = "NAME=N",
            description =
                    "roce: a parameter of --cc. Of DCQCN by its name in mlx5: rp_ai_rate=5 "
                            + "(rates in Mb/s, times in us); of others by theirs: beta=0.5.")
    Map<String, String> parameters = new TreeMap<>();

    @Option(
            names = "--mark",
            paramLabel = "KMIN,KMAX,PMAX",
            description =
                    "roce: when switches mark, with --cc: no packet up to KMIN bytes in a queue, "
                            + "then a share that grows to PMAX at KMAX, all above "
                            + "(as the preset).")
    @Nullable String marks;

    private @Nullable ControlChoice chosen;

    /// Parameters by name, as the devices have them.
    private final Map<String, String> inForce = new TreeMap<>();

    /// @param line rate, MTU and round trip of the hosts
    void apply(TransportOptions options, ControlFacts line) {
        if (name == null) {
            return;
        }
        if (!DCQCN.contains(name)) {
            ControlChoice made = choice(name, line);
            options.control(made);
            made.parameters().forEach((parameter, value) -> inForce.put(parameter, value + ""));
            return;
        }
        long rate = line.bitsPerSecond();
        CongestionSettings settings =
                switch (name) {
                    case PUBLISHED -> CongestionSettings.published(rate);
                    case "adapter" -> CongestionSettings.adapter(rate);
                    default -> CongestionSettings.production(rate);
                };
        for (Map.Entry<String, String> each : parameters.entrySet()) {
            settings = settings.with(each.getKey(), value(each.getKey(), each.getValue()));
        }
        options.congestion(settings);
        settings.byName().forEach((parameter, value) -> inForce.put(parameter, value.toString()));
    }

    private ControlChoice choice(String named, ControlFacts line) {
        ControlChoice known = chosen;
        if (known == null || !known.line().equals(line)) {
            Map<String, Double> changed = new TreeMap<>();
            parameters.forEach(
                    (parameter, text) -> changed.put(parameter, number(parameter, text)));
            known = find(named, line, changed);
            chosen = known;
        }
        return known;
    }

    private static ControlChoice find(
            String named, ControlFacts line, Map<String, Double> changed) {
        if (!ControlChoice.names().contains(named)) {
            throw new IllegalArgumentException(
                    "--cc %s: use %s, %s"
                            .formatted(
                                    named,
                                    String.join(", ", new TreeSet<>(DCQCN)),
                                    String.join(", ", ControlChoice.names())));
        }
        return ControlChoice.named(named, line, changed);
    }

    private static double number(String parameter, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException malformed) {
            throw new IllegalArgumentException(
                    "--cc-set %s=%s: not a number".formatted(parameter, text), malformed);
        }
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
        return name != null;
    }

    /// The controller with the parameters that are in force, in lines of 80 columns.
    void text(Formatter out) {
        if (name == null) {
            return;
        }
        StringBuilder line = new StringBuilder(" congestion control " + name);
        for (Map.Entry<String, String> each : inForce.entrySet()) {
            String word = " " + each.getKey() + "=" + each.getValue();
            if (line.length() + word.length() > COLUMNS) {
                out.format("%s\n", line);
                line.setLength(0);
                line.append("  ");
            }
            line.append(word);
        }
        out.format("%s\n", line);
    }

    void json(JsonGenerator json) throws IOException {
        if (name == null) {
            return;
        }
        json.writeStringField("congestion_control", name);
        json.writeObjectFieldStart("parameters");
        for (Map.Entry<String, String> each : inForce.entrySet()) {
            json.writeNumberField(each.getKey(), Double.parseDouble(each.getValue()));
        }
        json.writeEndObject();
    }

    /// What the user should know of these parameters at this rate.
    Optional<String> warning(Rate rate) {
        double times = rate.bitsPerSecond() / 1e9 / PUBLISHED_GBITS;
        if (!PUBLISHED.equals(name) || (times <= FAR && times >= 1 / FAR)) {
            return Optional.empty();
        }
        return Optional.of(
                "--cc published has the paper's parameters and marks, which are for 40 Gb/s, not"
                        + " for %s: use --cc production, or set them with --cc-set and --mark"
                                .formatted(rate));
    }

    Marking marking(ControlFacts line) {
        if (marks != null) {
            return parse(marks);
        }
        if (name == null) {
            return Marking.NONE;
        }
        if (name.equals(PUBLISHED)) {
            return Marking.PUBLISHED;
        }
        if (DCQCN.contains(name)) {
            return Marking.production(new Rate(line.bitsPerSecond()));
        }
        double trip = line.bandwidthDelayBytes();
        return choice(name, line).provider().needsMarks()
                ? new Marking((int) (LEAST_MARKED * trip), (int) (ALL_MARKED * trip), 1)
                : Marking.NONE;
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
