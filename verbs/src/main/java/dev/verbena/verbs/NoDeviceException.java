package dev.verbena.verbs;

/// A device that cannot be opened.
public final class NoDeviceException extends VerbsException {
    private static final long serialVersionUID = 1;

    /// [VerbsException] describes the three texts.
    public NoDeviceException(String object, String problem, String remedy) {
        super(Category.NO_DEVICE, object, problem, remedy);
    }

    /// Includes the error of the underlying system.
    public NoDeviceException(String object, String problem, String remedy, Throwable cause) {
        super(Category.NO_DEVICE, object, problem, remedy, cause);
    }
}
