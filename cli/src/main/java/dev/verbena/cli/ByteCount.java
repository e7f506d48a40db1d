package dev.verbena.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads a number of bytes: `65536`, `64K`, `1M`, `2G`. The suffixes are binary, as in perftest.
final class ByteCount implements ITypeConverter<Long> {
    private static final String SUFFIXES = "KMG";

    @Override
    public Long convert(String text) {
        return parse(text);
    }

    /// @throws TypeConversionException if the text is not a number of bytes
    static long parse(String text) {
        int last = text.length() - 1;
        int power = last > 0 ? SUFFIXES.indexOf(Character.toUpperCase(text.charAt(last))) + 1 : 0;
        try {
            long number = Long.parseLong(power > 0 ? text.substring(0, last) : text);
            if (number >= 0) {
                return Math.multiplyExact(number, 1L << (10 * power));
            }
        } catch (NumberFormatException | ArithmeticException malformed) {
            // The same answer as for a negative number.
        }
        throw new TypeConversionException(
                "'" + text + "' is not a number of bytes: write it as 65536, 64K or 1M");
    }

    /// The same for values that fit an `int`.
    static final class Small implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return parse(text);
        }

        static int parse(String text) {
            long bytes = ByteCount.parse(text);
            if (bytes > Integer.MAX_VALUE) {
                throw new TypeConversionException(
                        "'" + text + "' is more than " + Integer.MAX_VALUE + " bytes");
            }
            return (int) bytes;
        }
    }
}
