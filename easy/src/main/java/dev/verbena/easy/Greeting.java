package dev.verbena.easy;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// What the two sides of a channel say about themselves when they connect.
///
/// @param messageBytes the longest message that this side takes
/// @param window messages and requests that it takes before it gives receives back
record Greeting(int messageBytes, int window) {
    static final int LENGTH = 16;
    private static final int MAGIC = 0x56_42_45_41; // VBEA
    private static final int VERSION = 1;

    static Greeting of(NodeSettings settings) {
        return new Greeting(settings.messageBytes(), settings.window());
    }

    byte[] toBytes() {
        return ByteBuffer.allocate(LENGTH)
                .putInt(MAGIC)
                .putInt(VERSION)
                .putInt(messageBytes)
                .putInt(window)
                .array();
    }

    /// Reads what a peer sent, with any zeros behind it; null when that is no greeting of ours.
    static @Nullable Greeting of(byte[] bytes) {
        if (bytes.length < LENGTH) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (in.getInt() != MAGIC || in.getInt() != VERSION) {
            return null;
        }
        int messageBytes = in.getInt();
        int window = in.getInt();
        boolean isSound =
                messageBytes >= 64
                        && messageBytes <= NodeSettings.MESSAGE_BYTES_MAX
                        && window >= 1
                        && window <= NodeSettings.COUNT_MAX;
        return isSound ? new Greeting(messageBytes, window) : null;
    }
}
