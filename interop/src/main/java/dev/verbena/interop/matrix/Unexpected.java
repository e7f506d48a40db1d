package dev.verbena.interop.matrix;

/// A cell went another way than it must.
final class Unexpected extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unexpected(String message) {
        super(message);
    }
}
