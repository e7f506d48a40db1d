package dev.verbena.interop.suite;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs test classes, says how far it is, and writes a line of JSON for each test.
///
/// ```
/// SuiteMain [out=FILE] [only=REGEX] [seconds=N] [each=N] CLASS…
/// ```
///
/// `only` is for names of methods. A test that takes longer than `each` seconds is red and left to
/// itself; after `seconds` the whole ends, with the stack of every thread. Ends with 0 when no test
/// is red, with 1 when one is, with 3 when the time was over.
public final class SuiteMain {
    private SuiteMain() {}

    /// See above for the words.
    public static void main(String... words) throws IOException {
        List<String> classes = new ArrayList<>();
        Map<String, String> options = new HashMap<>();
        for (String word : words) {
            int at = word.indexOf('=');
            if (at < 0) {
                classes.add(word);
            } else {
                options.put(word.substring(0, at), word.substring(at + 1));
            }
        }
        // Kept, because a test may replace the stream.
        PrintStream out = System.out;
        int status;
        try (TestLines lines = new TestLines(Path.of(options.getOrDefault("out", "/dev/null")))) {
            Progress progress = new Progress(out, lines);
            Deadline.start(Integer.parseInt(options.getOrDefault("seconds", "1800")), progress);
            LauncherFactory.create().execute(tests(classes, options), progress);
            status = progress.conclude();
        }
        // A test may have left threads behind; the verdict does not wait for them.
        System.exit(status);
    }

    private static LauncherDiscoveryRequest tests(
            List<String> classes, Map<String, String> options) {
        String only = options.getOrDefault("only", ".*");
        // In a thread of its own, because a call of a library cannot be interrupted.
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(
                        classes.stream()
                                .<DiscoverySelector>map(DiscoverySelectors::selectClass)
                                .toList())
                .filters((PostDiscoveryFilter) it -> isWanted(it, only))
                .configurationParameter(
                        "junit.jupiter.execution.timeout.default",
                        options.getOrDefault("each", "90") + " s")
                .configurationParameter(
                        "junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD")
                .build();
    }

    private static FilterResult isWanted(TestDescriptor test, String only) {
        boolean isOther =
                test.getSource().orElse(null) instanceof MethodSource method
                        && !method.getMethodName().matches(only);
        return FilterResult.includedIf(!isOther);
    }
}
