package dev.verbena.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads a number of bytes: `65536`, `64K`, `1M`, `2G`; the suffixes are binary, as perftest's.
final class ByteCount implements ITypeConverter<Long> {
    private static final String SUFFIXES = "KMG";

    @Override
    public Long convert(String text) {
        int last = text.length() - 1;
        int power = last > 0 ? SUFFIXES.indexOf(Character.toUpperCase(text.charAt(last))) + 1 : 0;
        try {
            long number = Long.parseLong(power > 0 ? text.substring(0, last) : text);
            return Math.multiplyExact(number, 1L << (10 * power));
        } catch (NumberFormatException | ArithmeticException malformed) {
            throw new TypeConversionException(
                    "'" + text + "' is no number of bytes: write it as 65536, 64K or 1M");
        }
    }
}
