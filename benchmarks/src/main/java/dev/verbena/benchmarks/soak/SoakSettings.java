package dev.verbena.benchmarks.soak;

import dev.verbena.verbs.Access;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/// The settings that both sides of an endurance run share.
final class SoakSettings {
    static final int PORT = 7471;

    /// Requests of a connection that are on their way at a time.
    static final int DEPTH = 4;

    /// The largest message.
    static final int LARGEST = 256 << 10;

    /// A receive for each SEND that may be on its way, and one for the last.
    static final int RECEIVES = DEPTH + 1;

    static final Set<Access> RIGHTS =
            EnumSet.of(
                    Access.LOCAL_WRITE,
                    Access.REMOTE_READ,
                    Access.REMOTE_WRITE,
                    Access.REMOTE_ATOMIC);

    static final Duration PATIENCE = Duration.ofMillis(1);

    private SoakSettings() {}
}
