package dev.verbena.interop.suite;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/// Counts tests and says so now and then; a red one at once, and all of them again at the end.
final class Progress implements TestExecutionListener {
    private static final int STEP = 50;
    private static final int REASON_MAX = 600;

    private final PrintStream out;
    private final TestLines lines;
    private final long startNs = System.nanoTime();
    private final Map<String, Long> startsNs = new ConcurrentHashMap<>();
    private final List<TestLine> reds = new ArrayList<>();
    private int greens;
    private int skips;

    Progress(PrintStream out, TestLines lines) {
        this.out = out;
        this.lines = lines;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        startsNs.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public synchronized void executionSkipped(TestIdentifier test, String reason) {
        add(line(test, TestLine.SKIPPED, reason, 0));
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Long startNs = startsNs.remove(test.getUniqueId());
        long ms = startNs == null ? 0 : msSince(startNs);
        String reason = result.getThrowable().map(Progress::text).orElse("");
        if (result.getStatus() == Status.FAILED) {
            add(line(test, TestLine.RED, reason, ms));
        } else if (test.isTest()) {
            boolean isGreen = result.getStatus() == Status.SUCCESSFUL;
            add(line(test, isGreen ? TestLine.GREEN : TestLine.SKIPPED, reason, ms));
        }
    }

    /// What has begun and is not over.
    String running() {
        return startsNs.keySet().toString();
    }

    /// Says how it went, and answers with the status of the process.
    synchronized int conclude() {
        for (TestLine red : reds) {
            out.printf("red: %s.%s: %s%n", red.subject(), red.name(), firstLine(red.reason()));
        }
        say();
        return reds.isEmpty() && greens > 0 ? 0 : 1;
    }

    private void add(TestLine line) {
        lines.append(line);
        switch (line.outcome()) {
            case TestLine.GREEN -> greens++;
            case TestLine.SKIPPED -> skips++;
            default -> {
                reds.add(line);
                out.printf("red now: %s.%s%n", line.subject(), line.name());
            }
        }
        if ((greens + skips + reds.size()) % STEP == 0) {
            say();
        }
    }

    private void say() {
        out.printf(
                "suite: %d green, %d red, %d skipped after %d s%n",
                greens, reds.size(), skips, msSince(startNs) / 1000);
        out.flush();
    }

    private static long msSince(long startNs) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    }

    private static TestLine line(TestIdentifier test, String outcome, String reason, long ms) {
        return switch (test.getSource().orElse(null)) {
            case MethodSource method -> {
                // Several invocations of one method have names of their own.
                boolean isOne = test.getUniqueId().contains("-invocation:");
                String which = isOne ? " " + test.getDisplayName() : "";
                yield new TestLine(
                        simple(method.getClassName()),
                        method.getJavaMethod().getDeclaringClass().getSimpleName(),
                        method.getMethodName() + which,
                        outcome,
                        reason,
                        ms);
            }
            case ClassSource type -> {
                String name = simple(type.getClassName());
                yield new TestLine(name, name, "", outcome, reason, ms);
            }
            case null, default -> new TestLine("", "", test.getDisplayName(), outcome, reason, ms);
        };
    }

    private static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }

    private static String text(Throwable cause) {
        String text = cause.getClass().getSimpleName() + ": " + cause.getMessage() + at(cause);
        return text.length() > REASON_MAX ? text.substring(0, REASON_MAX) : text;
    }

    /// The first place of ours, which the message of an assertion does not tell.
    private static String at(Throwable cause) {
        for (StackTraceElement frame : cause.getStackTrace()) {
            if (frame.getClassName().startsWith("dev.verbena.")) {
                return " (%s:%d)".formatted(frame.getFileName(), frame.getLineNumber());
            }
        }
        return "";
    }

    private static String firstLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}
