package dev.verbena.wire;

import java.util.Locale;

/// Receiver-not-ready timers: how long a requester waits before it tries again (IBA 9.7.5.2.8).
///
/// Codes 1 to 31 rise from 0.01 ms to 491.52 ms; code 0 is the longest, 655.36 ms.
public final class RnrTimer {
    public static final int MAX_CODE = 31;

    /// In units of ten microseconds.
    private static final int[] TENS_OF_MICROS = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024,
        1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    private RnrTimer() {}

    /// The wait of a five-bit code, in nanoseconds.
    public static long delayNs(int code) {
        return TENS_OF_MICROS[code & MAX_CODE] * 10_000L;
    }

    /// The code of the shortest wait that is at least as long as asked, or 0, the longest of all.
    public static int code(long atLeastNs) {
        for (int code = 1; code <= MAX_CODE; code++) {
            if (delayNs(code) >= atLeastNs) {
                return code;
            }
        }
        return 0;
    }

    static String words(int code) {
        return String.format(Locale.ROOT, "%.2f ms", delayNs(code) / 1e6);
    }
}
