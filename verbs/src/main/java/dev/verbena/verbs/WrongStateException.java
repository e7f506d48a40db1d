package dev.verbena.verbs;

/// A call that the object's present state does not allow.
public final class WrongStateException extends VerbsException {
    private static final long serialVersionUID = 1;

    /// See [VerbsException] for what the three texts are.
    public WrongStateException(String object, String problem, String remedy) {
        super(Category.STATE, object, problem, remedy);
    }
}
