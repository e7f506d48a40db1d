package dev.verbena.verbs;

/// Something that this fabric cannot do.
public final class UnsupportedException extends VerbsException {
    private static final long serialVersionUID = 1;

    /// See [VerbsException] for what the three texts are.
    public UnsupportedException(String object, String problem, String remedy) {
        super(Category.UNSUPPORTED, object, problem, remedy);
    }
}
