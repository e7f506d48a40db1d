package dev.verbena.testkit.junit;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

/// The settings from the command line: properties of the JVM or of JUnit, or the environment, which
/// reaches tests also where a build tool does not pass its properties on.
///
/// @param seed the one seed to replay
/// @param seeds how many seeds to run
/// @param pcap the directory for captures
/// @param device the URIs of devices
record Properties(
        Optional<Long> seed,
        Optional<Integer> seeds,
        Optional<String> pcap,
        Optional<String> device) {
    private static final String PREFIX = "verbena.";

    static Properties of(ExtensionContext context) {
        return of(name -> context.getConfigurationParameter(PREFIX + name));
    }

    private static Properties of(Function<String, Optional<String>> property) {
        Function<String, Optional<String>> given =
                name ->
                        property.apply(name)
                                .or(() -> Optional.ofNullable(System.getenv(environment(name))))
                                .map(String::strip)
                                .filter(text -> !text.isEmpty());
        return new Properties(
                given.apply("seed").map(text -> number("seed", text, Long::decode)),
                given.apply("seeds").map(text -> number("seeds", text, Integer::decode)),
                given.apply("pcap"),
                given.apply("device"));
    }

    /// `VERBENA_SEED` for `verbena.seed`.
    static String environment(String name) {
        return (PREFIX + name).replace('.', '_').toUpperCase(Locale.ROOT);
    }

    private static <T> T number(String name, String text, Function<String, T> decode) {
        try {
            return decode.apply(text);
        } catch (NumberFormatException malformed) {
            throw new ExtensionConfigurationException(
                    PREFIX
                            + name
                            + " is '"
                            + text
                            + "': write a number, as -D"
                            + PREFIX
                            + name
                            + "=7",
                    malformed);
        }
    }
}
