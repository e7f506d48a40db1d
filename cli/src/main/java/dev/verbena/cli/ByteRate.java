package dev.verbena.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads bytes per second: `450GB/s`, `800MB/s`, or `450` for GB/s. The prefixes are decimal.
final class ByteRate implements ITypeConverter<Double> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)([MGT]B/s)?");

    @Override
    public Double convert(String text) {
        Matcher found = FORM.matcher(text);
        if (!found.matches()) {
            throw new TypeConversionException(
                    "'%s' is no rate: write it as 450GB/s".formatted(text));
        }
        String unit = found.group(2) == null ? "GB/s" : found.group(2);
        double scale =
                switch (unit.charAt(0)) {
                    case 'M' -> 1e6;
                    case 'T' -> 1e12;
                    default -> 1e9;
                };
        return Double.parseDouble(found.group(1)) * scale;
    }
}
