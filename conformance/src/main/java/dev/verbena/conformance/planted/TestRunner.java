package dev.verbena.conformance.planted;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// The main class of the tests' own JVM: runs what lies in a directory until the first failure.
final class TestRunner {
    /// Tests that plant bugs carry this tag, and are left out lest they plant for ever.
    static final String TAG = "planted";

    /// Tests that take long for what they add, and are left out.
    static final String SLOW = "slow";

    /// Tests that have holes planted for them alone, and are left out of other plans.
    static final String ATTACK = "attack";

    /// Names the only tag whose tests are run, when the plan is for them alone.
    static final String ONLY = "planted.only";

    /// Names the only top-level classes whose tests are run, without their packages: `A,B`.
    static final String CLASSES = "planted.classes";

    static final String FAILED = "planted: failed ";
    static final String PASSED = "planted: passed ";

    private TestRunner() {}

    public static void main(String[] arguments) {
        // Kept, because a test may replace the stream.
        PrintStream out = System.out;
        LauncherDiscoveryRequest tests =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(
                                DiscoverySelectors.selectClasspathRoots(
                                        Set.of(Path.of(arguments[0]))))
                        .filters(tags())
                        .filters(classes())
                        .configurationParameter(
                                "junit.jupiter.testclass.order.default",
                                RecordedFirst.Classes.class.getName())
                        .configurationParameter(
                                "junit.jupiter.testmethod.order.default",
                                RecordedFirst.Methods.class.getName())
                        // Several of these JVMs run at once, and the first failure is to be the
                        // same each time.
                        .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                        .build();
        CancellationToken stop = CancellationToken.create();
        FirstFailure listener = new FirstFailure(out, stop);
        LauncherFactory.create()
                .execute(
                        LauncherExecutionRequestBuilder.request(tests)
                                .cancellationToken(stop)
                                .listeners(listener)
                                .build());
        if (!stop.isCancellationRequested()) {
            out.println("\n" + PASSED + listener.passed);
        }
        out.flush();
        // A bug may have left threads behind; the verdict does not wait for them.
        System.exit(stop.isCancellationRequested() ? 1 : 0);
    }

    private static ClassNameFilter classes() {
        String wanted = System.getProperty(CLASSES, "");
        String names =
                Pattern.compile(",")
                        .splitAsStream(wanted)
                        .map(Pattern::quote)
                        .collect(Collectors.joining("|"));
        return ClassNameFilter.includeClassNamePatterns(
                wanted.isEmpty() ? ".*" : "(.*\\.)?(" + names + ")(\\$.*)?");
    }

    private static PostDiscoveryFilter tags() {
        String only = System.getProperty(ONLY, "");
        return only.isEmpty()
                ? TagFilter.excludeTags(TAG, SLOW, ATTACK)
                : TagFilter.includeTags(only);
    }

    /// `Outer.Inner` of `package.Outer$Inner`.
    static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1).replace('$', '.');
    }

    private static final class FirstFailure implements TestExecutionListener {
        private final PrintStream out;
        private final CancellationToken stop;
        private int passed;

        FirstFailure(PrintStream out, CancellationToken stop) {
            this.out = out;
            this.stop = stop;
        }

        @Override
        public synchronized void executionFinished(
                TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == Status.FAILED) {
                out.println("\n" + FAILED + name(test));
                result.getThrowable().ifPresent(cause -> cause.printStackTrace(out));
                stop.cancel();
            } else if (result.getStatus() == Status.SUCCESSFUL && test.isTest()) {
                passed++;
            }
        }

        private static String name(TestIdentifier test) {
            return switch (test.getSource().orElse(null)) {
                case MethodSource method ->
                        simple(method.getClassName()) + "." + method.getMethodName();
                case ClassSource type -> simple(type.getClassName());
                case null, default -> test.getDisplayName();
            };
        }
    }
}
