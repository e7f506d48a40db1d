package dev.verbena.wire;

/// End-to-end credits: how many receive requests an acknowledgement grants (IBA 9.7.7.2.4).
///
/// Codes 0 to 30 stand for 0 to 32,768 in steps that double every second code.
public final class AckCredits {
    /// The code of a responder that counts no credits, such as one with a shared receive queue.
    public static final int INVALID = 31;

    private static final int[] COUNTS = counts();

    private AckCredits() {}

    /// Receive requests granted by a code from 0 to 30.
    public static int count(int code) {
        if (code < 0 || code >= INVALID) {
            throw new WireException("credit code " + code + " grants no number; 0 to 30 do");
        }
        return COUNTS[code];
    }

    /// The largest code that grants no more than `available` receive requests.
    public static int code(int available) {
        if (available < 2) {
            return Math.max(0, available);
        }
        // The power of two below, and one code more from half-way to the next on.
        int power = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(available);
        int code = 2 * power + (available >= 3 << (power - 1) ? 1 : 0);
        return Math.min(code, INVALID - 1);
    }

    private static int[] counts() {
        int[] counts = new int[INVALID];
        for (int code = 0; code < counts.length; code++) {
            // 0 1 2 3 4 then 6 8 12 16 …: from code 2 on, even codes are powers of two and odd
            // ones lie half-way to the next.
            counts[code] =
                    code < 2 ? code : (code & 1) == 0 ? 1 << (code / 2) : 3 << ((code - 3) / 2);
        }
        return counts;
    }
}
