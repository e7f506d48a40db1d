package dev.verbena.cli;

/// A test that cannot continue: names the peer or object, the problem and the remedy.
sealed class PerfException extends RuntimeException permits UsageException {
    private static final long serialVersionUID = 1;

    PerfException(String message) {
        super(message);
    }

    PerfException(String message, Throwable cause) {
        super(message, cause);
    }
}
