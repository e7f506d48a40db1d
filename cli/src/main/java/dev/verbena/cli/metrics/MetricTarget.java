package dev.verbena.cli.metrics;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where figures are shown, as the option `--metrics` names it.
public sealed interface MetricTarget {
    /// The words that describe the option.
    String HELP =
            "Figures for Prometheus: at http://127.0.0.1:PORT/metrics, at another ADDRESS:PORT,"
                    + " or in a FILE (.prom) for node_exporter.";

    /// A TCP port that answers HTTP.
    record Port(InetSocketAddress address) implements MetricTarget {}

    /// A file, for node_exporter's collector of text files.
    record File(Path path) implements MetricTarget {}

    Pattern NUMBER = Pattern.compile("[0-9]+");
    Pattern ADDRESS = Pattern.compile("([^/]+):([0-9]+)");

    /// Reads PORT, ADDRESS:PORT or FILE. A port without an address is one of the loopback address.
    ///
    /// @throws IllegalArgumentException with one line, for a port or an address that there is not
    static MetricTarget parse(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("--metrics: use PORT, ADDRESS:PORT or FILE");
        }
        if (NUMBER.matcher(text).matches()) {
            return new Port(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port(text, text)));
        }
        Matcher address = ADDRESS.matcher(text);
        if (!address.matches()) {
            return new File(Path.of(text));
        }
        InetSocketAddress at =
                new InetSocketAddress(address.group(1), port(text, address.group(2)));
        if (at.isUnresolved()) {
            throw new IllegalArgumentException(
                    "--metrics %s: no address of that name; a file's name with : needs a /"
                            .formatted(text));
        }
        return new Port(at);
    }

    private static int port(String text, String digits) {
        int port = digits.length() > 5 ? -1 : Integer.parseInt(digits);
        if (port < 1 || port > 0xFFFF) {
            throw new IllegalArgumentException(
                    "--metrics %s: use a port of 1 to 65535".formatted(text));
        }
        return port;
    }

    /// Begins to show figures, or shows none where no target is named.
    ///
    /// @param err gets a line when a file cannot be written any more
    static MetricSink open(Optional<String> target, PrintWriter err) throws IOException {
        if (target.isEmpty()) {
            return MetricSink.NONE;
        }
        return switch (parse(target.get())) {
            case Port it -> new MetricServer(it.address());
            case File it -> new MetricFile(it.path(), err);
        };
    }
}
