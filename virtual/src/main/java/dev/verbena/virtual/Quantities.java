package dev.verbena.virtual;

import dev.verbena.verbs.InvalidRequestException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the values of URI parameters; refuses an invalid value with an example of a valid one.
final class Quantities {
    private static final Pattern TIME = Pattern.compile("(\\d{1,12})(ns|us|µs|ms|s)");
    private static final Map<String, Long> NS =
            Map.of("ns", 1L, "us", 1_000L, "µs", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L);

    private Quantities() {}

    static double probability(String parameter, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException malformed) {
            throw refused(parameter, text, "write it as " + parameter + "=0.02");
        }
    }

    static long number(String parameter, String text) {
        try {
            return Long.decode(text);
        } catch (NumberFormatException malformed) {
            throw refused(parameter, text, "write it as " + parameter + "=42");
        }
    }

    static Duration time(String parameter, String text) {
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            throw refused(parameter, text, "write it with its unit, as " + parameter + "=2us");
        }
        long ns = NS.getOrDefault(time.group(2), 1L);
        return Duration.ofNanos(Math.multiplyExact(Long.parseLong(time.group(1)), ns));
    }

    private static InvalidRequestException refused(String parameter, String text, String remedy) {
        return new InvalidRequestException(
                "virtual network", parameter + " cannot be '" + text + "'", remedy);
    }
}
