package dev.verbena.verbs;

/// An argument that is never valid: out of range, of the wrong kind, or not allowed by the object.
public final class InvalidRequestException extends VerbsException {
    private static final long serialVersionUID = 1;

    /// [VerbsException] describes the three texts.
    public InvalidRequestException(String object, String problem, String remedy) {
        super(Category.REQUEST, object, problem, remedy);
    }
}
