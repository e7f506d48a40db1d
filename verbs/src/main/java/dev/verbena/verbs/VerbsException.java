package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/// A mistake of the caller. The message names the object, the problem and the remedy.
///
/// Errors of a peer or of the network are never exceptions; they are a [CompletionStatus].
public abstract sealed class VerbsException extends RuntimeException
        permits InvalidRequestException,
                WrongStateException,
                LimitExceededException,
                ClosedException,
                UnsupportedException,
                NoDeviceException {
    private static final long serialVersionUID = 1;

    /// The kinds of mistake, one for each subclass.
    public enum Category {
        REQUEST,
        STATE,
        LIMIT,
        CLOSED,
        UNSUPPORTED,
        NO_DEVICE
    }

    private final Category category;
    private final String object;
    private final String remedy;

    VerbsException(Category category, String object, String problem, String remedy) {
        this(category, object, problem, remedy, null);
    }

    VerbsException(
            Category category,
            String object,
            String problem,
            String remedy,
            @Nullable Throwable cause) {
        super(object + ": " + problem + "; " + remedy, cause);
        this.category = category;
        this.object = object;
        this.remedy = remedy;
    }

    public Category category() {
        return category;
    }

    /// The name of the object, such as `qp 0x1a`.
    public String object() {
        return object;
    }

    /// The remedy.
    public String remedy() {
        return remedy;
    }
}
