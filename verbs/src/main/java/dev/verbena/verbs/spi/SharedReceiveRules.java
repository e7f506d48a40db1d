package dev.verbena.verbs.spi;

import dev.verbena.verbs.InvalidRequestException;

/// The limit of a shared receive queue, under which a program gets an event. `who` is the queue,
/// for the message.
public final class SharedReceiveRules {
    private SharedReceiveRules() {}

    /// Checks a limit that a program sets.
    ///
    /// @param depth of the queue
    public static void requireLimit(Object who, int least, int depth) {
        if (least < 0 || least > depth) {
            throw new InvalidRequestException(
                    who.toString(), "no limit of " + least + " requests", "use 0 to " + depth);
        }
    }

    /// The text of the event.
    public static String underLimit(Object who, int left, int limit) {
        return "%s has %d receive requests left, under its limit of %d".formatted(who, left, limit);
    }
}
