package dev.verbena.testkit.junit;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/// Runs a method with [RdmaTest] once for each seed, until one fails.
public final class RdmaExtension implements TestTemplateInvocationContextProvider {
    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

    /// Made by JUnit.
    public RdmaExtension() {}

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return AnnotationSupport.isAnnotated(context.getRequiredTestMethod(), RdmaTest.class);
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
            ExtensionContext context) {
        RdmaTest test =
                AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), RdmaTest.class)
                        .orElseThrow();
        Plan plan = Plan.of(context, test);
        tellOfMissingFaults(plan);
        AtomicBoolean failed = new AtomicBoolean();
        // JUnit takes them one by one: after a failure there is no next.
        return IntStream.range(0, plan.seeds())
                .takeWhile(_ -> !failed.get())
                .mapToObj(i -> new Invocation(plan, plan.firstSeed() + i, failed));
    }

    /// Once for each kind of device: a test that passes there has shown less.
    private static void tellOfMissingFaults(Plan plan) {
        DeviceUris.faultless(plan)
                .filter(schemes -> !plan.faults().isEmpty() && TOLD.add(schemes))
                .ifPresent(
                        schemes ->
                                System.err.printf(
                                        "verbena: %s injects no faults; tests run without the ones"
                                                + " they ask for, such as %s of %s.%s%n",
                                        schemes, plan.faults(), plan.testClass(), plan.method()));
    }
}
