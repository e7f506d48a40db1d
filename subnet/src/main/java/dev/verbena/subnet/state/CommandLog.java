package dev.verbena.subnet.state;

import java.util.function.Consumer;

/// Brings commands to the state: at once, or after other managers have them too.
@FunctionalInterface
public interface CommandLog {
    /// Takes a command.
    ///
    /// @param applied gets the outcome, once the command was applied
    void propose(Command command, Consumer<Outcome> applied);
}
