package dev.verbena.wire.mad;

import dev.verbena.wire.WireException;

/// The five-bit timeouts of connection management (IBA 12.7): 4.096 microseconds times two to the
/// power of the code.
public final class CmTimeout {
    public static final int CODE_MAX = 31;

    private static final long UNIT_NS = 4_096;

    private CmTimeout() {}

    /// How long a code lasts, from 4,096 ns (0) to about two and a half hours (31).
    public static long nanos(int code) {
        WireException.requireBits("timeout code", code, 5);
        return UNIT_NS << code;
    }

    /// The smallest code that lasts at least so long, or the largest there is.
    public static int ofNanos(long atLeastNs) {
        int code = 0;
        while (code < CODE_MAX && nanos(code) < atLeastNs) {
            code++;
        }
        return code;
    }
}
