package dev.verbena.verbs;

import dev.verbena.verbs.spi.DeviceProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/// The providers on the module path: those that load, and the errors of the others.
record Providers(List<DeviceProvider> loaded, List<Error> failed) {
    /// More than any program has: a broken service loader can return errors without end.
    private static final int FAILURES_MAX = 16;

    private static final String PREFIX = DeviceProvider.class.getName() + ": ";

    static Providers load() {
        List<DeviceProvider> loaded = new ArrayList<>();
        List<Error> failed = new ArrayList<>();
        Iterator<DeviceProvider> found = ServiceLoader.load(DeviceProvider.class).iterator();
        while (failed.size() < FAILURES_MAX) {
            try {
                if (!found.hasNext()) {
                    break;
                }
                loaded.add(found.next());
            } catch (ServiceConfigurationError | LinkageError broken) {
                // A class of a newer Java version, or without its superclass, causes a
                // LinkageError.
                failed.add(broken);
            }
        }
        return new Providers(loaded, failed);
    }

    /// The errors of the service loader; each names its provider.
    String failures() {
        return failed.stream().map(Providers::text).distinct().collect(Collectors.joining(", "));
    }

    private static String text(Error broken) {
        String message = String.valueOf(broken.getMessage());
        String what = message.startsWith(PREFIX) ? message.substring(PREFIX.length()) : message;
        Throwable cause = broken.getCause();
        return cause == null ? what : what + " (" + cause + ")";
    }
}
