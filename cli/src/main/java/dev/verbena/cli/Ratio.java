package dev.verbena.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads a ratio: `2:1`, `3:2`, or the quotient, `1.5`.
final class Ratio implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
        int colon = text.indexOf(':');
        try {
            double value =
                    colon < 0
                            ? Double.parseDouble(text)
                            : Double.parseDouble(text.substring(0, colon))
                                    / Double.parseDouble(text.substring(colon + 1));
            if (value > 0 && Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException _) {
            // Refused below, with all others.
        }
        throw new TypeConversionException(
                "'" + text + "' is no ratio above 0: write it as 2:1 or 1.5");
    }
}
