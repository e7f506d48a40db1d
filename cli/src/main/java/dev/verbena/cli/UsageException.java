package dev.verbena.cli;

/// Arguments that a command cannot run with: names the option, its value and the remedy.
final class UsageException extends PerfException {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }

    UsageException(String message, Throwable cause) {
        super(message, cause);
    }
}
