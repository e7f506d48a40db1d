package dev.verbena.verbs;

/// A call that is not allowed in the current state of the object.
public final class WrongStateException extends VerbsException {
    private static final long serialVersionUID = 1;

    /// [VerbsException] describes the three texts.
    public WrongStateException(String object, String problem, String remedy) {
        super(Category.STATE, object, problem, remedy);
    }
}
