package dev.verbena.wire;

import java.io.Serial;

/// A mistake of the caller: a value that does not fit its field, or a header that the packet does
/// not have. Bytes from a network never raise it; they end in a [Verdict].
public final class WireException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    public WireException(String message) {
        super(message);
    }

    /// Refuses a value that needs more than `bits` bits, which would otherwise be cut off silently.
    public static void requireBits(String field, long value, int bits) {
        if (value >>> bits != 0) {
            throw new WireException(
                    "%s 0x%x does not fit %d bits; the largest is 0x%x"
                            .formatted(field, value, bits, (1L << bits) - 1));
        }
    }
}
