package dev.verbena.collectives.link;

/// The 32 bits of immediate data between ranks.
///
/// ```text
///   31  28 27          16 15                0
///  +------+--------------+-------------------+
///  | kind | credit       | number            |   a message, a grant, a credit
///  +------+--------------+-------------------+
///  | kind | rank                             |   an end
///  +------+----------------------------------+
/// ```
///
/// The credit counts the short messages that the sender of the signal has taken out of its slots so
/// far. The number counts the signals of this kind on the link. Both are the low bits of a count.
final class Signal {
    /// A short message is in the next slot.
    static final int SHORT = 1;

    /// A long message is where the oldest grant said.
    static final int LONG = 2;

    /// The next entry of the table of grants is filled in.
    static final int GRANT = 3;

    /// Nothing but the credit.
    static final int CREDIT = 4;

    /// The communicator has failed because of a rank.
    static final int FAILED = 5;

    /// The sender closes its end, and all is well.
    static final int LEFT = 6;

    private static final int KIND_SHIFT = 28;
    private static final int CREDIT_SHIFT = 16;
    private static final int CREDIT_MASK = 0xFFF;
    private static final int NUMBER_MASK = 0xFFFF;
    private static final int RANK_MASK = 0xFFF_FFFF;

    private Signal() {}

    static int of(int kind, long taken, long number) {
        return kind << KIND_SHIFT
                | ((int) taken & CREDIT_MASK) << CREDIT_SHIFT
                | ((int) number & NUMBER_MASK);
    }

    static int failed(int rank) {
        return FAILED << KIND_SHIFT | (rank & RANK_MASK);
    }

    static int kind(int signal) {
        return signal >>> KIND_SHIFT;
    }

    static int rank(int signal) {
        return signal & RANK_MASK;
    }

    /// The count of which the signal has the low bits, where it was `before` last.
    static long credit(int signal, long before) {
        return before + (((signal >>> CREDIT_SHIFT) - before) & CREDIT_MASK);
    }

    static boolean hasNumber(int signal, long number) {
        return (signal & NUMBER_MASK) == ((int) number & NUMBER_MASK);
    }
}
