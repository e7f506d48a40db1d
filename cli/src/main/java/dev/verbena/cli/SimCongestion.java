package dev.verbena.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.fabric.Marking;
import dev.verbena.fabric.Rate;
import dev.verbena.scenario.CongestionKnobs;
import dev.verbena.transport.TransportOptions;
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

    /// Parameters by name, as the devices have them.
    private final Map<String, String> inForce = new TreeMap<>();

    /// The same as the simulator takes it.
    CongestionKnobs knobs() {
        if (name == null) {
            return CongestionKnobs.NONE;
        }
        if (!DCQCN.contains(name) && !ControlChoice.names().contains(name)) {
            throw new IllegalArgumentException(
                    "--cc %s: use %s, %s"
                            .formatted(
                                    name,
                                    String.join(", ", new TreeSet<>(DCQCN)),
                                    String.join(", ", ControlChoice.names())));
        }
        Map<String, Double> values = new TreeMap<>();
        parameters.forEach((parameter, text) -> values.put(parameter, value(parameter, text)));
        return new CongestionKnobs(name, values, marks == null ? null : parse(marks));
    }

    /// @param line rate, MTU and round trip of the hosts
    void apply(TransportOptions options, ControlFacts line) {
        CongestionKnobs knobs = knobs();
        knobs.apply(options, line);
        if (inForce.isEmpty()) {
            knobs.inForce(line).forEach((parameter, value) -> inForce.put(parameter, text(value)));
        }
    }

    /// Parameters of DCQCN are whole numbers.
    private String text(double value) {
        return name != null && DCQCN.contains(name)
                ? Long.toString(Math.round(value))
                : Double.toString(value);
    }

    private double value(String parameter, String text) {
        return name != null && DCQCN.contains(name)
                ? whole(parameter, text)
                : number(parameter, text);
    }

    private static double number(String parameter, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException malformed) {
            throw new IllegalArgumentException(
                    "--cc-set %s=%s: not a number".formatted(parameter, text), malformed);
        }
    }

    private static long whole(String name, String text) {
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
