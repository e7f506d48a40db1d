package dev.verbena.cli.finding;

import dev.verbena.lint.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Help.Ansi;

/// Words and colours of findings, the same in all commands.
public final class FindingStyle {
    private final Ansi ansi;

    public FindingStyle(Ansi ansi) {
        this.ansi = ansi;
    }

    /// The word of a severity, as wide as the longest.
    public String word(Severity severity) {
        return styled(colour(severity), "%-7s".formatted(severity.word()));
    }

    /// A text in a style of picocli's, if colours are on.
    public String styled(String style, String text) {
        // Not through picocli's markup: what was read from a file could be taken for it. And ended
        // by a reset: to many terminals what ends bold type is a double underline.
        if (!ansi.enabled()) {
            return text;
        }
        Ansi.IStyle[] styles = Ansi.Style.parse(style.toLowerCase(Locale.ROOT));
        return Ansi.Style.on(styles) + text + Ansi.Style.reset.on();
    }

    /// How many of each severity there are, in words.
    public static String sum(ToLongFunction<Severity> count) {
        long errors = count.applyAsLong(Severity.ERROR);
        long warnings = count.applyAsLong(Severity.WARNING);
        long notes = count.applyAsLong(Severity.NOTE);
        List<String> parts = new ArrayList<>();
        if (errors + warnings == 0) {
            parts.add("nothing to complain of");
        } else {
            parts.add(Severity.ERROR.counted(errors));
            parts.add(Severity.WARNING.counted(warnings));
        }
        if (notes > 0) {
            parts.add(Severity.NOTE.counted(notes));
        }
        return String.join(", ", parts);
    }

    private static String colour(Severity severity) {
        return switch (severity) {
            case ERROR -> "bold,red";
            case WARNING -> "bold,yellow";
            case NOTE -> "green";
        };
    }
}
