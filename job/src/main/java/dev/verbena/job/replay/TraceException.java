package dev.verbena.job.replay;

/// A file of a job is malformed: the message names the file, the rank and the place.
public final class TraceException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    public TraceException(String message) {
        super(message);
    }

    public TraceException(String message, Throwable cause) {
        super(message, cause);
    }
}
