package dev.verbena.verbs;

/// An argument that can never be right: out of range, of the wrong kind, not allowed by the object.
public final class InvalidRequestException extends VerbsException {
    private static final long serialVersionUID = 1;

    /// See [VerbsException] for what the three texts are.
    public InvalidRequestException(String object, String problem, String remedy) {
        super(Category.REQUEST, object, problem, remedy);
    }
}
