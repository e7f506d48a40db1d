package dev.verbena.testkit.planted;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Set;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
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
                        .filters(filter())
                        // The directory's own order differs from machine to machine, and with it
                        // which test is first to catch a bug.
                        .configurationParameter(
                                "junit.jupiter.testclass.order.default", PartsFirst.class.getName())
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

    private static PostDiscoveryFilter filter() {
        String only = System.getProperty(ONLY, "");
        return only.isEmpty()
                ? TagFilter.excludeTags(TAG, SLOW, ATTACK)
                : TagFilter.includeTags(only);
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

        private static String simple(String className) {
            return className.substring(className.lastIndexOf('.') + 1).replace('$', '.');
        }
    }
}
