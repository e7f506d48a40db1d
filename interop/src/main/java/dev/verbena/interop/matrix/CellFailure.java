package dev.verbena.interop.matrix;

/// A cell had an unexpected result.
final class CellFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    CellFailure(String message) {
        super(message);
    }
}
