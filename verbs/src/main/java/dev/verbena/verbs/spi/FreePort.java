package dev.verbena.verbs.spi;

import dev.verbena.verbs.InvalidRequestException;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// For providers: a listener on a port that the program leaves open by asking for port 0.
public final class FreePort {
    private static final int FIRST = 49152;
    private static final int COUNT = 0x10000 - FIRST;

    /// Of so many random ports one is free, unless almost all are taken.
    private static final int TRIES = 100;

    private FreePort() {}

    /// A port of those that are not assigned to services (RFC 6335).
    public static int any(RandomGenerator random) {
        return FIRST + random.nextInt(COUNT);
    }

    /// Listens on one such port after another until one is free.
    ///
    /// @param listen refuses a port that is taken with an [InvalidRequestException]
    public static <L> L listen(RandomGenerator random, IntFunction<L> listen) {
        @Nullable InvalidRequestException last = null;
        for (int i = 0; i < TRIES; i++) {
            try {
                return listen.apply(any(random));
            } catch (InvalidRequestException taken) {
                // Another one then.
                last = taken;
            }
        }
        String why = last == null ? "" : ", the last: " + last.getMessage();
        InvalidRequestException refused =
                new InvalidRequestException(
                        "port 0", "no free port in " + TRIES + " tries" + why, "name a port");
        refused.initCause(last);
        throw refused;
    }
}
