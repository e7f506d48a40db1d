package dev.verbena.conformance;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The requests that reach a listener, and the private data of both sides.
final class Calls {
    private Calls() {}

    /// The next that a listener has.
    static <T> T next(World world, Supplier<@Nullable T> poll, String what) {
        AtomicReference<@Nullable T> found = new AtomicReference<>();
        world.advanceUntil(
                () -> {
                    T next = poll.get();
                    if (next != null) {
                        found.set(next);
                    }
                    return next != null;
                },
                Inbox.LIMIT);
        T next = found.get();
        if (next == null) {
            throw new AssertionError("there never came " + what);
        }
        return next;
    }

    static byte[] bytes(String text) {
        return text.getBytes(US_ASCII);
    }

    /// Without the zeros behind it.
    static String text(byte[] bytes) {
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return new String(Arrays.copyOf(bytes, length), US_ASCII);
    }
}
