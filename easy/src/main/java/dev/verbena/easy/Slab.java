package dev.verbena.easy;

import java.lang.foreign.MemorySegment;

/// The memory of a channel: places for messages to send, then places for messages to receive.
///
/// A place holds a header and a message of the longest length.
final class Slab {
    private static final int LINE = 64;

    final int sends;
    final int receives;
    final int messageBytes;
    final long stride;

    Slab(int sends, int receives, int messageBytes) {
        this.sends = sends;
        this.receives = receives;
        this.messageBytes = messageBytes;
        stride = (Frame.LENGTH + messageBytes + LINE - 1L) / LINE * LINE;
    }

    static Slab of(NodeSettings settings) {
        return new Slab(
                settings.window(),
                settings.window() + settings.requests() + Protocol.CONTROL,
                settings.messageBytes());
    }

    long bytes() {
        return stride * (sends + receives);
    }

    long ofSend(int slot) {
        return stride * slot;
    }

    long ofReceive(int slot) {
        return stride * (sends + slot);
    }

    MemorySegment payload(MemorySegment memory, long at, long bytes) {
        return memory.asSlice(at + Frame.LENGTH, bytes);
    }
}
