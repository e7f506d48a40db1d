package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.ResultLog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The picture of the README: three paths for the same bytes, with the measured figures of two.
///
/// The drawing is a resource with a marker such as `{tcp CPU of the sender}` for each figure. A
/// marker without a figure is an error, so the picture never shows a number that is not in the log.
final class PathsPicture {
    private static final String DRAWING = "two-paths.svg";
    private static final Pattern MARKER = Pattern.compile("\\{([a-z]+) ([^{}:;]+)\\}");

    /// The bars begin here, and the longest is this wide, both ends together.
    private static final double BARS_LEFT = 4;

    private static final double BARS_WIDTH = 292;

    private final ResultLog log;

    private PathsPicture(ResultLog log) {
        this.log = log;
    }

    static String of(ResultLog log) throws IOException {
        return new PathsPicture(log).filled(drawing());
    }

    private static String drawing() throws IOException {
        try (InputStream in = PathsPicture.class.getResourceAsStream(DRAWING)) {
            if (in == null) {
                throw new BenchException("no " + DRAWING + " beside the classes: build again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String filled(String drawing) {
        Matcher marker = MARKER.matcher(drawing);
        return marker.replaceAll(
                found -> {
                    String what = found.group(2);
                    return switch (found.group(1)) {
                        case "bar" -> pixels(width(what));
                        case "after" -> pixels(BARS_LEFT + width(what));
                        default -> figure(who(found.group(1)), what);
                    };
                });
    }

    private static String who(String word) {
        return switch (word) {
            case "tcp" -> TwoPaths.TCP;
            case "roce" -> TwoPaths.DEVICE_THREAD;
            default -> throw new BenchException("the drawing names a path " + word);
        };
    }

    private String figure(String who, String subject) {
        return subject.startsWith("copies, ")
                ? TwoPaths.copies(who, subject.substring("copies, ".length()))
                : RocePage.number(median(who, subject));
    }

    /// The width of a bar such as `tcp sender`, at one scale for all.
    private double width(String path) {
        String[] words = path.split(" ", 2);
        double longest = Math.max(cpu(TwoPaths.TCP), cpu(TwoPaths.DEVICE_THREAD));
        return median(who(words[0]), "CPU of the " + words[1]) / longest * BARS_WIDTH;
    }

    private double cpu(String who) {
        return median(who, "CPU of the sender") + median(who, "CPU of the receiver");
    }

    private double median(String who, String subject) {
        return log.summary(TwoPaths.PLACE, subject, who)
                .orElseThrow(
                        () ->
                                new BenchException(
                                        "no figure \"%s\" of %s: run bin/bench roce --paths as root"
                                                .formatted(subject, who)))
                .median();
    }

    private static String pixels(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
