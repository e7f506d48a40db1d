package dev.verbena.ibverbs;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The functions of a context that are written in Java: a call without leaving Java's state, as the
/// provider makes it to poll, must not come back to Java.
class InProcessFastPath extends FastPath {
    private static final MethodHandle POLL =
            Native.bind(
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG));

    InProcessFastPath(long context) {
        super(context);
    }

    @Override
    int poll(long queue, int most, long completions) {
        try {
            return (int) POLL.invokeExact(pollQueue, queue, most, completions);
        } catch (Throwable impossible) {
            throw new AssertionError("a driver does not throw", impossible);
        }
    }
}
