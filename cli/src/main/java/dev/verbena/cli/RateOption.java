package dev.verbena.cli;

import dev.verbena.fabric.Rate;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads the rate of a link: a number of Gb/s such as `400`, or an InfiniBand name such as `4xHDR`.
final class RateOption implements ITypeConverter<Rate> {
    @Override
    public Rate convert(String text) {
        try {
            return Rate.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(
                    "'%s' is no rate: write it as 400, for Gb/s, or as 4xHDR".formatted(text));
        }
    }
}
