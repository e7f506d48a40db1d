package dev.verbena.testkit.junit;

import java.lang.reflect.Method;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/// Around the methods of a test: which thread is the test's own, and the end of the others.
final class MethodCalls implements InvocationInterceptor {
    private final Function<ExtensionContext, Run> runs;

    MethodCalls(Function<ExtensionContext, Run> runs) {
        this.runs = runs;
    }

    @Override
    public void interceptBeforeEachMethod(
            Invocation<@Nullable Void> method,
            ReflectiveInvocationContext<Method> call,
            ExtensionContext context)
            throws Throwable {
        runs.apply(context).isTestThread();
        method.proceed();
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<@Nullable Void> method,
            ReflectiveInvocationContext<Method> call,
            ExtensionContext context)
            throws Throwable {
        Run run = runs.apply(context);
        run.isTestThread();
        @Nullable Throwable thrown = null;
        try {
            method.proceed();
        } catch (Throwable failure) {
            thrown = failure;
        }
        Throwable ended = run.finish(thrown);
        if (ended != null) {
            throw ended;
        }
    }
}
