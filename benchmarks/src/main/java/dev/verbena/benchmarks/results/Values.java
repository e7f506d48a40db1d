package dev.verbena.benchmarks.results;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Numbers and words out of the JSON that programs print, by key alone: each key we ask for stands
/// there once, or the first one is meant.
public final class Values {
    private Values() {}

    public static double number(String json, String key) {
        Matcher found =
                Pattern.compile("\"" + Pattern.quote(key) + "\"\\s*:\\s*(-?[0-9.eE+-]+)")
                        .matcher(json);
        if (!found.find()) {
            throw new BenchException("no " + key + " in: " + shortened(json));
        }
        return Double.parseDouble(found.group(1));
    }

    public static String word(String json, String key) {
        Matcher found =
                Pattern.compile("\"" + Pattern.quote(key) + "\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"")
                        .matcher(json);
        if (!found.find()) {
            throw new BenchException("no " + key + " in: " + shortened(json));
        }
        return found.group(1).replace("\\\"", "\"").replace("\\\\", "\\");
    }

    public static String quoted(String text) {
        String plain = text.replace("\\", "\\\\").replace("\"", "\\\"");
        return "\"" + plain.replaceAll("\\s+", " ") + "\"";
    }

    public static String shortened(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() <= 300 ? line : line.substring(0, 300) + " …";
    }
}
