package dev.verbena.conformance.planted;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Which test caught each bug the last time, as the page of that run says.
///
/// A run tries that test first. It still fails most of the time, and then the other tests of the
/// module need not run.
final class PlantedRecord {
    private static final Pattern ROW =
            Pattern.compile("\\| \\d+ \\| (.+) \\| `[^`]+` \\| (.+) \\|");

    /// `HeaderTest.readsThePsn`, and not "the time limit".
    private static final Pattern TEST = Pattern.compile("[\\w.]+\\.\\w+");

    private final Map<String, String> catchers;

    private PlantedRecord(Map<String, String> catchers) {
        this.catchers = catchers;
    }

    static PlantedRecord none() {
        return new PlantedRecord(Map.of());
    }

    /// Reads a page of [PlantedReport]; without a page nothing is known.
    static PlantedRecord read(Path page) throws IOException {
        Map<String, String> catchers = new LinkedHashMap<>();
        if (Files.exists(page)) {
            for (String line : Files.readAllLines(page)) {
                Matcher row = ROW.matcher(line);
                if (row.matches()) {
                    catchers.put(row.group(1).replace("\\|", "|"), row.group(2));
                }
            }
        }
        return new PlantedRecord(catchers);
    }

    boolean knows(PlantedBug bug) {
        return catchers.containsKey(bug.name());
    }

    /// The test that caught the bug, if it was a test.
    Optional<String> catcher(PlantedBug bug) {
        return Optional.ofNullable(catchers.get(bug.name())).filter(PlantedRecord::isTest);
    }

    static boolean isTest(String catcher) {
        return TEST.matcher(catcher).matches();
    }

    /// `HeaderTest` of `HeaderTest.readsThePsn`: the class that has the file.
    static String topClass(String test) {
        return test.substring(0, test.indexOf('.'));
    }
}
