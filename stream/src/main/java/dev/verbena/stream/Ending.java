package dev.verbena.stream;

import dev.verbena.verbs.CompletionStatus;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// How a stream ended, each direction by itself.
final class Ending {
    /// The peer will send no more: its SHUTDOWN or DISCONNECT arrived.
    private boolean inputEnded;

    /// The peer reads no more.
    private boolean peerGone;

    /// No more messages of the peer arrive, or requests of this side are carried out.
    private boolean inputDown;

    private boolean outputDown;
    private @Nullable IOException failure;

    boolean isInputEnded() {
        return inputEnded;
    }

    boolean isPeerGone() {
        return peerGone;
    }

    boolean isDown() {
        return inputDown || outputDown;
    }

    @Nullable IOException failure() {
        return failure;
    }

    void shutdown() {
        inputEnded = true;
    }

    void disconnect() {
        inputEnded = true;
        peerGone = true;
    }

    void fail(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
        inputDown = true;
        outputDown = true;
    }

    /// A request of this side failed. The receives end with a completion of their own, after all
    /// that arrived.
    void requestFailed(CompletionStatus status, String explanation) {
        outputDown = true;
        if (failure == null && status != CompletionStatus.FLUSHED && !peerGone) {
            failure = new IOException("the connection failed: " + explanation);
        }
    }

    void receiveFailed(CompletionStatus status, String explanation) {
        inputDown = true;
        outputDown = true;
        if (failure == null && !inputEnded) {
            failure =
                    status == CompletionStatus.FLUSHED
                            ? new IOException(
                                    "connection reset: the peer ended without a farewell, or no"
                                            + " longer answers")
                            : new IOException("the connection failed: " + explanation);
        }
    }
}
