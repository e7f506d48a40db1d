package dev.verbena.cli;

/// A test that cannot go on: names who, what happened and what to do.
final class PerfException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PerfException(String message) {
        super(message);
    }

    PerfException(String message, Throwable cause) {
        super(message, cause);
    }
}
