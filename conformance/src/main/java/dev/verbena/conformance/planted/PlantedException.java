package dev.verbena.conformance.planted;

/// The planting itself went wrong, so that it says nothing about the tests: a stale plan, an edit
/// that does not compile, or tests that fail without any bug.
public final class PlantedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public PlantedException(String message) {
        super(message);
    }

    public PlantedException(String message, Throwable cause) {
        super(message, cause);
    }
}
