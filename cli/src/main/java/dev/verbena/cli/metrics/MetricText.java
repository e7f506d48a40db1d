package dev.verbena.cli.metrics;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/// Writes figures in Prometheus' text format, version 0.0.4: a family of samples after the other,
/// each with its help and its type.
///
/// ```java
/// new MetricText()
///         .counter("sent_bytes_total", "Bytes that were sent.")
///         .sample(17, "device", "a", "port", "1")
///         .toString();
/// ```
public final class MetricText {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern LABEL = Pattern.compile("[a-zA-Z][a-zA-Z0-9_]*");

    private final StringBuilder text = new StringBuilder();
    private final Set<String> families = new HashSet<>();
    private final Set<String> samples = new HashSet<>();
    private String family = "";

    public MetricText() {}

    /// Begins a family of figures that only grow. Its name ends in `_total`.
    public MetricText counter(String name, String help) {
        if (!name.endsWith("_total")) {
            throw new IllegalArgumentException(
                    "counter %s: use a name that ends in _total".formatted(name));
        }
        return begin(name, help, "counter");
    }

    /// Begins a family of figures that grow and fall.
    public MetricText gauge(String name, String help) {
        return begin(name, help, "gauge");
    }

    /// Begins a family without a type, as node_exporter has some.
    public MetricText untyped(String name, String help) {
        return begin(name, help, "untyped");
    }

    private MetricText begin(String name, String help, String type) {
        if (!NAME.matcher(name).matches() || !families.add(name)) {
            throw new IllegalArgumentException(
                    "metric %s: use letters, digits and _, and each name once".formatted(name));
        }
        family = name;
        String shown = help.replace("\\", "\\\\").replace("\n", "\\n");
        text.append("# HELP ").append(name).append(' ').append(shown).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        return this;
    }

    /// Adds a sample to the family that was begun last.
    ///
    /// @param labels names and values in turns
    public MetricText sample(long value, String... labels) {
        return add(Long.toString(value), labels);
    }

    /// The same for a figure with a fraction; infinities and NaN are valid.
    public MetricText sample(double value, String... labels) {
        if (Double.isInfinite(value)) {
            return add(value > 0 ? "+Inf" : "-Inf", labels);
        }
        return add(Double.toString(value), labels);
    }

    private MetricText add(String value, String... labels) {
        if (family.isEmpty() || labels.length % 2 != 0) {
            throw new IllegalArgumentException(
                    family.isEmpty()
                            ? "a sample without a family: begin one first"
                            : "metric %s: a label has no value".formatted(family));
        }
        StringBuilder series = new StringBuilder(family);
        for (int i = 0; i < labels.length; i += 2) {
            if (!LABEL.matcher(labels[i]).matches()) {
                throw new IllegalArgumentException(
                        "metric %s, label %s: use letters, digits and _"
                                .formatted(family, labels[i]));
            }
            series.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
            series.append(escaped(labels[i + 1])).append('"');
        }
        series.append(labels.length > 0 ? "}" : "");
        if (!samples.add(series.toString())) {
            throw new IllegalArgumentException("%s is there already".formatted(series));
        }
        text.append(series).append(' ').append(value).append('\n');
        return this;
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
