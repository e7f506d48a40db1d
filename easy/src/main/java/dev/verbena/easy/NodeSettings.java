package dev.verbena.easy;

import dev.verbena.verbs.InvalidRequestException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/// How a node and its channels work; [#DEFAULT] suits most programs.
///
/// The memory of a channel is at most `(2 * window + requests + 8) * messageBytes`, and as much for
/// remote memory once that is used: 64 pieces of `messageBytes`.
///
/// @param messageBytes the longest message; of both sides of a channel the smaller one counts
/// @param window messages and requests that the peer may send before the program has taken them
/// @param requests requests of one channel that wait for their reply
/// @param channels channels that are open at a time
/// @param timeout how long calls without a limit of their own wait
/// @param keepAlive an idle peer is probed so often, and its death noticed; zero for never
/// @param fallback what to do without an RDMA device
/// @param threads where the node's threads come from, or null for the JDK's: a thread of the system
///   that waits for completions, and virtual threads
public record NodeSettings(
        int messageBytes,
        int window,
        int requests,
        int channels,
        Duration timeout,
        Duration keepAlive,
        Fallback fallback,
        @Nullable ThreadFactory threads) {
    /// 4 KiB messages, a window of 32, 16 requests, 64 channels, 10 s.
    public static final NodeSettings DEFAULT =
            new NodeSettings(
                    4096,
                    32,
                    16,
                    64,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(5),
                    Fallback.NONE,
                    null);

    static final int MESSAGE_BYTES_MAX = 1 << 24;
    static final int COUNT_MAX = 1 << 12;

    public NodeSettings {
        require("messageBytes", messageBytes, 64, MESSAGE_BYTES_MAX);
        require("window", window, 1, COUNT_MAX);
        require("requests", requests, 1, COUNT_MAX);
        require("channels", channels, 1, COUNT_MAX);
        require("timeout in ms", timeout.toMillis(), 1, Integer.MAX_VALUE);
        require("keepAlive in ms", keepAlive.toMillis(), 0, 86_400_000);
    }

    private static void require(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new InvalidRequestException(
                    "node settings",
                    what + " " + value + " is out of range",
                    "use " + least + " to " + most);
        }
    }

    public NodeSettings withMessageBytes(int value) {
        return new NodeSettings(
                value, window, requests, channels, timeout, keepAlive, fallback, threads);
    }

    public NodeSettings withWindow(int value) {
        return new NodeSettings(
                messageBytes, value, requests, channels, timeout, keepAlive, fallback, threads);
    }

    public NodeSettings withRequests(int value) {
        return new NodeSettings(
                messageBytes, window, value, channels, timeout, keepAlive, fallback, threads);
    }

    public NodeSettings withChannels(int value) {
        return new NodeSettings(
                messageBytes, window, requests, value, timeout, keepAlive, fallback, threads);
    }

    public NodeSettings withTimeout(Duration value) {
        return new NodeSettings(
                messageBytes, window, requests, channels, value, keepAlive, fallback, threads);
    }

    public NodeSettings withKeepAlive(Duration value) {
        return new NodeSettings(
                messageBytes, window, requests, channels, timeout, value, fallback, threads);
    }

    public NodeSettings withFallback(Fallback value) {
        return new NodeSettings(
                messageBytes, window, requests, channels, timeout, keepAlive, value, threads);
    }

    /// All threads of the node come from this factory: on `virtual://` and `fabric://` that of
    /// threads that take turns.
    public NodeSettings withThreads(ThreadFactory value) {
        return new NodeSettings(
                messageBytes, window, requests, channels, timeout, keepAlive, fallback, value);
    }
}
