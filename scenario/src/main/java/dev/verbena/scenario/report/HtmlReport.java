package dev.verbena.scenario.report;

import dev.verbena.scenario.run.Result;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// A result as one HTML page that needs nothing else: no network, no other file.
///
/// Texts of the user reach the page as JSON in a script that is no program; the page shows them as
/// text, never as HTML.
public final class HtmlReport {
    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

    private HtmlReport() {}

    /// The whole page.
    public static String of(Result result, Provenance from) {
        return page("report", result.outcome().scenario().title(), ResultJson.tree(result, from));
    }

    /// A page of comparisons.
    public static String of(List<CompareJson.Pair> pairs, String command) {
        String first = pairs.getFirst().title();
        String title = pairs.size() == 1 ? first : "%d comparisons".formatted(pairs.size());
        return page("compare", title, CompareJson.tree(pairs, command));
    }

    private static String page(String name, String title, ObjectNode data) {
        Map<String, String> parts =
                Map.of(
                        "title", escaped(title),
                        "style", read("report.css"),
                        "charts", read("echarts.min.js"),
                        "notice", read("echarts.NOTICE"),
                        "parts", read("parts.js"),
                        "script", read(name + ".js"),
                        "data", harmless(JsonMapper.shared().writeValueAsString(data)));
        return PLACE.matcher(read(name + ".html"))
                .replaceAll(place -> java.util.regex.Matcher.quoteReplacement(part(parts, place)));
    }

    private static String part(Map<String, String> parts, MatchResult place) {
        return Objects.requireNonNull(parts.get(place.group(1)), place.group());
    }

    /// Within a script element `</script` and `<!--` would end or change it.
    static String harmless(String json) {
        return json.replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String read(String name) {
        try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
            byte[] bytes = Objects.requireNonNull(in, name).readAllBytes();
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
