package dev.verbena.virtual;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.opentest4j.AssertionFailedError;

/// Runs a test class as a build tool would, and tells what became of its tests.
final class Launch implements TestExecutionListener {
    /// A test that is over.
    record Ended(String name, Status status, Throwable thrown) {
        String message() {
            return String.valueOf(thrown.getMessage());
        }
    }

    private static boolean running;

    final List<Ended> ended = new ArrayList<>();

    /// What is wrong with a method before any of its tests begins.
    final List<Throwable> refused = new ArrayList<>();

    static Launch of(Class<?> type, Map<String, String> properties) {
        Launch launch = new Launch();
        running = true;
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(type))
                                .configurationParameters(properties)
                                .build(),
                        launch);
        running = false;
        return launch;
    }

    /// What [LaunchedOnly] asks.
    static boolean isRunning() {
        return running;
    }

    static Launch of(Class<?> type) {
        return of(type, Map.of());
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Throwable thrown =
                result.getThrowable()
                        .orElseGet(() -> new AssertionFailedError("nothing was thrown"));
        if (test.isTest()) {
            ended.add(new Ended(test.getDisplayName(), result.getStatus(), thrown));
        } else if (result.getStatus() == Status.FAILED) {
            refused.add(thrown);
        }
    }

    List<String> names() {
        return ended.stream().map(Ended::name).toList();
    }

    List<Status> statuses() {
        return ended.stream().map(Ended::status).toList();
    }

    Ended last() {
        return ended.getLast();
    }
}
