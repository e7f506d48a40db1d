package dev.verbena.verbs;

/// A call on an object that was closed.
public final class ClosedException extends VerbsException {
    private static final long serialVersionUID = 1;

    /// [VerbsException] describes the three texts.
    public ClosedException(String object, String problem, String remedy) {
        super(Category.CLOSED, object, problem, remedy);
    }
}
