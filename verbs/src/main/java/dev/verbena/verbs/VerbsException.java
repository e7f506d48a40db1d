package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/// The caller's mistake: names the object, says what is wrong with the call and what to do.
///
/// What a peer or the network does wrong never comes this way; it is a [CompletionStatus].
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

    /// Whom it happened to, such as `qp 0x1a`.
    public String object() {
        return object;
    }

    /// What to do about it.
    public String remedy() {
        return remedy;
    }
}
