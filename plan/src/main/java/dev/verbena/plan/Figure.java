package dev.verbena.plan;

import java.math.BigDecimal;

/// A number of the catalogue, or a range, and where it is from.
///
/// @param date when the source was written, or `read` and when it was read
public record Figure(double low, double high, String source, String date, Mark mark) {
    private static final String READ = "read ";

    /// Whether it may be used where only the maker's word counts.
    public boolean isVendors() {
        return mark == Mark.VENDOR;
    }

    /// Whether the source has a date of its own.
    public boolean isDated() {
        return !date.startsWith(READ);
    }

    /// The number, or both ends of the range, with thousands apart.
    public String text() {
        return low == high ? plain(low) : plain(low) + " to " + plain(high);
    }

    /// A number as people write it.
    public static String plain(double value) {
        BigDecimal exact = BigDecimal.valueOf(value).stripTrailingZeros();
        return exact.scale() <= 0
                ? "%,d".formatted(exact.longValue())
                : "%,.3f".formatted(value).replaceAll("0+$", "");
    }

    @Override
    public String toString() {
        return text() + " [" + mark.sign() + "]";
    }
}
