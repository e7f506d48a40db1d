package dev.verbena.cli;

import java.util.Locale;

/// How numbers look everywhere in the command's output.
final class Texts {
    private Texts() {}

    static String ipv4(int address) {
        return ((address >>> 24) & 0xFF)
                + "."
                + ((address >>> 16) & 0xFF)
                + "."
                + ((address >>> 8) & 0xFF)
                + "."
                + (address & 0xFF);
    }

    static String hex24(int value) {
        return hex(value, 6);
    }

    static String hex32(int value) {
        return hex(value & 0xFFFF_FFFFL, 8);
    }

    static String hex64(long value) {
        return hex(value, 16);
    }

    private static String hex(long value, int digits) {
        String text = Long.toHexString(value);
        return "0x" + "0".repeat(Math.max(0, digits - text.length())) + text;
    }

    /// Seconds with microseconds, rounded. By hand: a formatter would take longer than decoding.
    static String seconds(long timeNs) {
        long micros = (Math.abs(timeNs) + 500) / 1000;
        String digits = Long.toString(1_000_000 + micros % 1_000_000);
        return (timeNs < 0 ? "-" : "") + micros / 1_000_000 + "." + digits.substring(1);
    }

    static String left(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    static String right(String text, int width) {
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }

    static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    static String plural(long count, String noun) {
        return count(count) + " " + noun + (count == 1 ? "" : "s");
    }
}
