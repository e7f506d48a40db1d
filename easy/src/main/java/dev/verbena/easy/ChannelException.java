package dev.verbena.easy;

import dev.verbena.verbs.CompletionStatus;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A channel cannot do what was asked: it has ended, or its peer refused. The message says why; for
/// a failed work request it has the explanation of its status.
public final class ChannelException extends IOException {
    private static final long serialVersionUID = 1;

    private final @Nullable CompletionStatus status;

    ChannelException(String message) {
        this(message, null, null);
    }

    ChannelException(String message, @Nullable CompletionStatus status, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    /// The same for another thread, whose stack differs.
    ChannelException again() {
        return new ChannelException(String.valueOf(getMessage()), status, this);
    }

    /// The status of the work request that ended the channel, if one did.
    public Optional<CompletionStatus> status() {
        return Optional.ofNullable(status);
    }
}
