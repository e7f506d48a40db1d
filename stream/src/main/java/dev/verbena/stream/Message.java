package dev.verbena.stream;

/// The immediate value of a message: three bits of type, 29 bits of value.
final class Message {
    /// Bytes were written into the ring; the value is their number.
    static final int DATA = 0;

    /// Never on the wire: marks the receive requests of this side.
    static final int RECEIVE = 2;

    /// The value is the number of data messages, counted from the beginning and cut to 16 bits, up
    /// to which the peer may send. Part of the peer's ring may have been published as well.
    static final int CREDIT = 4;

    /// One of the three values below.
    static final int CONTROL = 7;

    static final int DISCONNECT = 0;
    static final int KEEP_ALIVE = 1;
    static final int SHUTDOWN = 2;

    /// The longest message with data is cut into messages of this length. A software device sends
    /// packets of one length by one system call, and a shorter one behind them: the last packet has
    /// the immediate, of 4 bytes, and is no longer than the others if its data is 4 bytes shorter.
    static final int TRAIN = (1 << 16) - Integer.BYTES;

    private static final int DATA_MAX = 1 << 16;

    static final int VALUE_MAX = (1 << 29) - 1;

    private static final int TYPE_SHIFT = 29;

    private Message() {}

    /// Bytes of a ring with two halves such that messages of [#TRAIN] bytes fill each half.
    static int filled(int ringBytes) {
        int messages = ringBytes / (2 * DATA_MAX);
        return ringBytes - 2 * messages * (DATA_MAX - TRAIN);
    }

    /// How much of so many bytes goes into one message.
    static int dataOf(long bytes) {
        return bytes > DATA_MAX ? TRAIN : (int) bytes;
    }

    static int of(int type, int value) {
        return (type << TYPE_SHIFT) | value;
    }

    static int type(int message) {
        return message >>> TYPE_SHIFT;
    }

    static int value(int message) {
        return message & VALUE_MAX;
    }
}
