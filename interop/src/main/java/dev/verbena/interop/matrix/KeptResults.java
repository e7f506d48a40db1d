package dev.verbena.interop.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Keeps the outcomes of a whole run in `interop/results`, without the figures that change from run
/// to run, and compares a later run with them. `docs/interop.md` is made from the kept results, so
/// a run of every commit need not play everything to show that the page is true.
final class KeptResults {
    private static final Set<String> FIGURES =
            Set.of("packets", "retransmissions", "duplicates", "lost", "ms", "suite", "seed");
    private static final Set<String> ANSWERS = Set.of("outcome", "reason", "each");
    private static final String RATIO = "\\d+\\.\\d+ of C's";

    private KeptResults() {}

    /// `keep FRESH KEPT` writes the second file, `compare FRESH KEPT` prints the differences and
    /// ends with 1 when there are any.
    public static void main(String... words) throws IOException {
        Path fresh = Path.of(words[1]);
        Path kept = Path.of(words[2]);
        if (words[0].equals("keep")) {
            keep(fresh, kept);
            return;
        }
        List<String> found = differences(new ResultFile(fresh).read(), new ResultFile(kept).read());
        found.forEach(System.out::println);
        System.exit(found.isEmpty() ? 0 : 1);
    }

    static void keep(Path fresh, Path kept) throws IOException {
        Files.deleteIfExists(kept);
        ResultFile out = new ResultFile(kept);
        for (Map<String, String> line : new ResultFile(fresh).read().all()) {
            Map<String, String> less = new LinkedHashMap<>(line);
            less.keySet().removeAll(FIGURES);
            less.computeIfPresent(
                    "reason", (name, text) -> text.replaceFirst(" \\(\\w+\\.java:\\d+\\)$", ""));
            less.values().removeIf(String::isEmpty);
            if (less.size() > 1) {
                out.append(less);
            }
        }
    }

    /// Outcomes that differ from the kept ones. Lines that only the kept results have are of cells
    /// and programs that the fresh run left out; a test of the suite that only the fresh run has is
    /// new, and no difference when it is green.
    static List<String> differences(ResultFile.Lines fresh, ResultFile.Lines kept) {
        Map<String, String> known = new HashMap<>();
        kept.all().forEach(it -> known.put(key(it), it.getOrDefault("outcome", "")));
        List<String> found = new ArrayList<>();
        for (Map<String, String> line : fresh.all()) {
            if (!"run".equals(line.get("kind"))) {
                String outcome = line.getOrDefault("outcome", "");
                String before = known.get(key(line));
                if (before == null) {
                    boolean isNewTest =
                            "test".equals(line.get("kind")) && outcome.equals(Result.GREEN);
                    before = isNewTest ? outcome : "not among the kept results";
                }
                if (!outcome.equals(before)) {
                    found.add("%s: %s, kept: %s".formatted(key(line), outcome, before));
                }
            }
        }
        return found;
    }

    private static String key(Map<String, String> line) {
        Map<String, String> rest = new LinkedHashMap<>(line);
        rest.keySet().removeAll(FIGURES);
        rest.keySet().removeAll(ANSWERS);
        return String.join(", ", rest.values()).replaceFirst(RATIO, "a ratio of C's");
    }
}
