package dev.verbena.easy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The peer received a request, and its handler failed. The channel goes on.
public final class RequestFailedException extends IOException {
    private static final long serialVersionUID = 1;
    private static final int TEXT_MAX = 200;

    RequestFailedException(String message) {
        super(message);
    }

    static byte[] bytes(String why, int most) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(text, Math.min(text.length, Math.min(TEXT_MAX, most)));
    }

    /// The text is the peer's: one line, and not longer than a line.
    static RequestFailedException of(String peer, byte[] text) {
        byte[] start = Arrays.copyOf(text, Math.min(text.length, TEXT_MAX));
        String why = new String(start, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
        return new RequestFailedException("the request failed at " + peer + ": " + why);
    }
}
