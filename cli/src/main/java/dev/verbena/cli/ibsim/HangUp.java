package dev.verbena.cli.ibsim;

import java.lang.reflect.Proxy;

/// The signal SIGHUP, by which operators ask a program to read its files again.
public final class HangUp {
    private HangUp() {}

    /// Runs an action at each SIGHUP, on a thread of the JVM, instead of ending the program.
    ///
    /// By reflection: the compiler warns of the class at every other use, and there is none in its
    /// place.
    public static void handle(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy =
                    Proxy.newProxyInstance(
                            handler.getClassLoader(),
                            new Class<?>[] {handler},
                            (_, method, arguments) -> {
                                if (method.getDeclaringClass() == Object.class) {
                                    return method.invoke(action, arguments);
                                }
                                action.run();
                                return null;
                            });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), proxy);
        } catch (ReflectiveOperationException none) {
            throw new IllegalStateException("this JVM hands no signals over", none);
        }
    }
}
