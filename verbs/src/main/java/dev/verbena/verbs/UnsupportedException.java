package dev.verbena.verbs;

/// The device does not support the call.
public final class UnsupportedException extends VerbsException {
    private static final long serialVersionUID = 1;

    /// [VerbsException] describes the three texts.
    public UnsupportedException(String object, String problem, String remedy) {
        super(Category.UNSUPPORTED, object, problem, remedy);
    }
}
