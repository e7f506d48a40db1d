package dev.verbena.verbs;

/// The device cannot hold this many objects, or objects this large; see [DeviceLimits].
public final class LimitExceededException extends VerbsException {
    private static final long serialVersionUID = 1;

    /// [VerbsException] describes the three texts.
    public LimitExceededException(String object, String problem, String remedy) {
        super(Category.LIMIT, object, problem, remedy);
    }

    /// Includes the error of the underlying system.
    public LimitExceededException(String object, String problem, String remedy, Throwable cause) {
        super(Category.LIMIT, object, problem, remedy, cause);
    }
}
