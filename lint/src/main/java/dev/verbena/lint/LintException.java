package dev.verbena.lint;

/// A file that cannot be checked at all: names the file, the problem and the remedy in one line.
public final class LintException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LintException(String message) {
        super(Shown.line(message));
    }

    LintException(String message, Throwable cause) {
        super(Shown.line(message), cause);
    }
}
