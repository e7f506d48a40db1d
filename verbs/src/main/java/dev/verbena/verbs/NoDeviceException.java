package dev.verbena.verbs;

/// A device that cannot be opened.
public final class NoDeviceException extends VerbsException {
    private static final long serialVersionUID = 1;

    /// See [VerbsException] for what the three texts are.
    public NoDeviceException(String object, String problem, String remedy) {
        super(Category.NO_DEVICE, object, problem, remedy);
    }

    /// With what the system below said.
    public NoDeviceException(String object, String problem, String remedy, Throwable cause) {
        super(Category.NO_DEVICE, object, problem, remedy, cause);
    }
}
