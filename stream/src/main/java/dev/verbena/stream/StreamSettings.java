package dev.verbena.stream;

import dev.verbena.verbs.InvalidRequestException;
import java.time.Duration;

/// Sizes and times of a stream. A stream takes `sendBytes` and `receiveBytes` of registered memory,
/// and less than 8 KiB beside.
///
/// @param sendBytes written bytes that the peer has not acknowledged yet
/// @param receiveBytes bytes that arrived, or may arrive, and are not read yet; a multiple of 64
/// @param credits messages that the peer may send before it hears of this side again; Valkey's
///   protocol has none, and ignores the number
/// @param linger how long a closed stream may take to deliver what was written; zero resets the
///   connection at once
/// @param keepAlive after how long a silent peer is asked whether it still exists; zero never asks
/// @param protocol what is spoken with the peer
public record StreamSettings(
        int sendBytes,
        int receiveBytes,
        int credits,
        Duration linger,
        Duration keepAlive,
        StreamProtocol protocol) {
    /// The smallest ring.
    public static final int BYTES_MIN = 1 << 12;

    /// The largest ring.
    public static final int BYTES_MAX = 1 << 24;

    private static final int CREDITS_MIN = 16;
    private static final int CREDITS_MAX = 1 << 12;
    private static final int UNIT = 64;
    private static final String WHO = "stream settings";

    /// 128 KiB in each direction, 64 credits, 10 s to deliver the rest, a silent peer is asked
    /// every 5 s.
    public static final StreamSettings DEFAULT =
            new StreamSettings(
                    1 << 17,
                    1 << 17,
                    64,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(5),
                    StreamProtocol.RSOCKET);

    /// For a Valkey server: its protocol, which has no credits, and a buffer of 1 MiB, as large as
    /// the server's.
    public static final StreamSettings VALKEY =
            DEFAULT.withProtocol(StreamProtocol.VALKEY).withReceiveBytes(1 << 20);

    public StreamSettings {
        require("send bytes", sendBytes, BYTES_MIN, BYTES_MAX);
        require("receive bytes", receiveBytes, BYTES_MIN, BYTES_MAX);
        require("credits", credits, CREDITS_MIN, CREDITS_MAX);
        if (receiveBytes % UNIT != 0) {
            throw new InvalidRequestException(
                    WHO, receiveBytes + " receive bytes", "use a multiple of " + UNIT);
        }
        requireTime("linger", linger);
        requireTime("keep-alive", keepAlive);
    }

    public StreamSettings withSendBytes(int value) {
        return new StreamSettings(value, receiveBytes, credits, linger, keepAlive, protocol);
    }

    public StreamSettings withReceiveBytes(int value) {
        return new StreamSettings(sendBytes, value, credits, linger, keepAlive, protocol);
    }

    public StreamSettings withCredits(int value) {
        return new StreamSettings(sendBytes, receiveBytes, value, linger, keepAlive, protocol);
    }

    public StreamSettings withLinger(Duration value) {
        return new StreamSettings(sendBytes, receiveBytes, credits, value, keepAlive, protocol);
    }

    public StreamSettings withKeepAlive(Duration value) {
        return new StreamSettings(sendBytes, receiveBytes, credits, linger, value, protocol);
    }

    public StreamSettings withProtocol(StreamProtocol value) {
        return new StreamSettings(sendBytes, receiveBytes, credits, linger, keepAlive, value);
    }

    private static void require(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new InvalidRequestException(
                    WHO, what + " " + value + " is out of range", "use " + least + " to " + most);
        }
    }

    private static void requireTime(String what, Duration value) {
        if (value.isNegative() || value.compareTo(Duration.ofDays(1)) > 0) {
            throw new InvalidRequestException(WHO, what + " of " + value, "use 0 to a day");
        }
    }
}
