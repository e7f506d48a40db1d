package dev.verbena.testkit.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestWatcher;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/// One seed of a test, for JUnit: its parameters, and the text of its failure.
final class Invocation
        implements TestTemplateInvocationContext,
                ParameterResolver,
                TestExecutionExceptionHandler,
                LifecycleMethodExecutionExceptionHandler,
                TestWatcher {
    private static final Namespace RUNS = Namespace.create(Invocation.class);

    private final Plan plan;
    private final long seed;
    private final AtomicBoolean failed;

    Invocation(Plan plan, long seed, AtomicBoolean failed) {
        this.plan = plan;
        this.seed = seed;
        this.failed = failed;
    }

    @Override
    public String getDisplayName(int index) {
        return "seed " + seed;
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
        return List.of(this, new MethodCalls(this::run));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return Injected.of(parameter.getParameter().getType()).isPresent();
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return Injected.of(parameter.getParameter().getType())
                .orElseThrow()
                .value(run(context), parameter);
    }

    /// The store closes it when the seed is over.
    private Run run(ExtensionContext context) {
        return context.getStore(RUNS)
                .computeIfAbsent(Run.class, key -> new Run(plan, seed), Run.class);
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown)
            throws Throwable {
        throw explained(context, thrown);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable thrown)
            throws Throwable {
        throw explained(context, thrown);
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable thrown)
            throws Throwable {
        throw explained(context, thrown);
    }

    /// The same failure with the seed in its words, or the same object where that says nothing.
    private Throwable explained(ExtensionContext context, Throwable thrown) {
        if (thrown instanceof ParameterResolutionException unresolved) {
            return Injected.explained(unresolved);
        }
        boolean isForeign =
                thrown instanceof TestAbortedException || thrown instanceof VirtualMachineError;
        return isForeign ? thrown : failure(thrown, run(context));
    }

    private static AssertionFailedError failure(Throwable thrown, Run run) {
        boolean isAssertion = thrown instanceof AssertionError && thrown.getMessage() != null;
        String message = isAssertion ? thrown.getMessage() : thrown.toString();
        String text = FailureText.of(String.valueOf(message), run);
        @Nullable Throwable cause = isAssertion ? thrown.getCause() : thrown;
        AssertionFailedError failure =
                thrown instanceof AssertionFailedError compared
                                && compared.isExpectedDefined()
                                && compared.isActualDefined()
                        ? new AssertionFailedError(
                                text, compared.getExpected(), compared.getActual(), cause)
                        : new AssertionFailedError(text, cause);
        // It is the same failure, in the same place.
        failure.setStackTrace(thrown.getStackTrace());
        for (Throwable suppressed : thrown.getSuppressed()) {
            failure.addSuppressed(suppressed);
        }
        return failure;
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        failed.set(true);
    }

    /// Of many captures those of failures are kept; the only one always is.
    @Override
    public void testSuccessful(ExtensionContext context) {
        Optional<Path> file = plan.seeds() == 1 ? Optional.empty() : plan.pcap(seed);
        if (file.isPresent()) {
            try {
                Files.deleteIfExists(file.get());
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
