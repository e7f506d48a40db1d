package dev.verbena.verbs;

/// More objects or larger ones than the device holds; see [DeviceLimits].
public final class LimitExceededException extends VerbsException {
    private static final long serialVersionUID = 1;

    /// See [VerbsException] for what the three texts are.
    public LimitExceededException(String object, String problem, String remedy) {
        super(Category.LIMIT, object, problem, remedy);
    }

    /// With what the system below said.
    public LimitExceededException(String object, String problem, String remedy, Throwable cause) {
        super(Category.LIMIT, object, problem, remedy, cause);
    }
}
