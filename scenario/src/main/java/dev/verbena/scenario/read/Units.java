package dev.verbena.scenario.read;

import dev.verbena.fabric.Rate;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads numbers with their units. Each refusal says how to write it.
public final class Units {
    private static final Pattern FORM =
            Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?) ?([A-Za-z/]*)");
    private static final double PS_PER_NS = 1e3;
    private static final double BYTES_MAX = 1L << 50;
    private static final double PS_MAX = 1e18;

    private Units() {}

    /// `65536`, `64K`, `1M`, `2GiB`: the suffixes are binary, as in perftest and nccl-tests.
    public static long bytes(String text) {
        Matcher form = form(text, "size", "65536, 64K or 1M");
        String unit = form.group(2);
        double scale =
                switch (unit.toUpperCase(Locale.ROOT)) {
                    case "", "B" -> 1;
                    case "K", "KIB" -> 1 << 10;
                    case "M", "MIB" -> 1 << 20;
                    case "G", "GIB" -> 1 << 30;
                    case "KB", "MB", "GB" -> throw decimal(text, form.group(1), unit);
                    default -> throw no(text, "size", "65536, 64K or 1M");
                };
        double bytes = Double.parseDouble(form.group(1)) * scale;
        if (bytes > BYTES_MAX) {
            throw new IllegalArgumentException("'" + text + "' is too large; 1048576G is the most");
        }
        return Math.round(bytes);
    }

    private static IllegalArgumentException decimal(String text, String number, String unit) {
        return new IllegalArgumentException(
                "'%s': the unit %s is read in two ways; write %s%s, for 2^%d bytes each"
                        .formatted(
                                text,
                                unit,
                                number,
                                Character.toUpperCase(unit.charAt(0)),
                                10 * ("KMG".indexOf(Character.toUpperCase(unit.charAt(0))) + 1)));
    }

    /// `500ns`, `20us`, `1.5ms`, in picoseconds.
    public static long ps(String text) {
        String remedy = "500ns, 20us or 1.5ms";
        Matcher form = form(text, "time", remedy);
        double scale =
                switch (form.group(2)) {
                    case "ns" -> PS_PER_NS;
                    case "us" -> 1e6;
                    case "ms" -> 1e9;
                    case "s" -> 1e12;
                    case "" -> {
                        if (Double.parseDouble(form.group(1)) == 0) {
                            yield 1;
                        }
                        throw new IllegalArgumentException(
                                "'%s' has no unit; write %sns, %<sus or %<sms"
                                        .formatted(text, form.group(1)));
                    }
                    default -> throw no(text, "time", remedy);
                };
        double ps = Double.parseDouble(form.group(1)) * scale;
        if (ps > PS_MAX) {
            throw new IllegalArgumentException("'" + text + "' is too long; 1000000s is the most");
        }
        return Math.round(ps);
    }

    /// `400`, `400Gb/s`, `4xHDR`.
    public static Rate rate(String text) {
        String remedy = "400Gb/s, or 4xNDR";
        Matcher form = FORM.matcher(text);
        try {
            if (!form.matches() || form.group(2).startsWith("x")) {
                return Rate.parse(text);
            }
            return switch (form.group(2)) {
                case "", "Gb/s", "Gbps", "Gbit/s", "G" -> Rate.parse(form.group(1));
                case "GB/s", "GBps" ->
                        throw new IllegalArgumentException(
                                "'%s': rates of cables are in bits; write %sGb/s"
                                        .formatted(text, eightTimes(form.group(1))));
                default -> throw no(text, "rate", remedy);
            };
        } catch (IllegalArgumentException refused) {
            String known = String.valueOf(refused.getMessage());
            throw known.startsWith("'") ? refused : no(text, "rate", remedy);
        }
    }

    private static String eightTimes(String number) {
        double bits = 8 * Double.parseDouble(number);
        return bits == Math.rint(bits) ? Long.toString((long) bits) : Double.toString(bits);
    }

    /// `20m`, or `20` for metres.
    static double metres(String text) {
        Matcher form = form(text, "length", "20m");
        return switch (form.group(2)) {
            case "", "m" -> Double.parseDouble(form.group(1));
            case "km" -> 1000 * Double.parseDouble(form.group(1));
            default -> throw no(text, "length", "20m");
        };
    }

    /// `4:1`, or `4`.
    static double ratio(String text) {
        String[] parts = text.split(":", -1);
        try {
            double value = Double.parseDouble(parts[0]);
            double ratio = parts.length == 2 ? value / Double.parseDouble(parts[1]) : value;
            if (parts.length <= 2 && ratio > 0 && Double.isFinite(ratio)) {
                return ratio;
            }
        } catch (NumberFormatException malformed) {
            // The same answer as for a ratio that is not above 0.
        }
        throw no(text, "ratio above 0", "4:1, or 1.5");
    }

    private static Matcher form(String text, String what, String remedy) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw no(text, what, remedy);
        }
        return form;
    }

    private static IllegalArgumentException no(String text, String what, String remedy) {
        return new IllegalArgumentException(
                "'%s' is no %s; write it as %s".formatted(text, what, remedy));
    }
}
