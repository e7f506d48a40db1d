package dev.verbena.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads a time in nanoseconds: `500ns`, `1.5us`, `2ms`, or `500` for nanoseconds.
final class ShortTime implements ITypeConverter<Long> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ns|us|ms)?");

    @Override
    public Long convert(String text) {
        Matcher found = FORM.matcher(text);
        if (!found.matches()) {
            throw new TypeConversionException(
                    "'%s' is no time: write it as 500ns or 1.5us".formatted(text));
        }
        String unit = found.group(2) == null ? "ns" : found.group(2);
        double scale =
                switch (unit) {
                    case "us" -> 1e3;
                    case "ms" -> 1e6;
                    default -> 1;
                };
        return Math.round(Double.parseDouble(found.group(1)) * scale);
    }
}
