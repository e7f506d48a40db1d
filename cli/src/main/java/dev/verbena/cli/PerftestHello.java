package dev.verbena.cli;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;

/// The values that two programs of perftest agree on first.
///
/// @param cycleBytes short messages go round in so much memory, which each side must have
/// @param mtu largest payload of a packet that both take
record PerftestHello(int cycleBytes, int mtu) {
    /// The oldest that perftest accepts is 5.70; this is the one that was looked at.
    private static final String VERSION = "6.06";

    private static final int VERSION_BYTES = 16;
    private static final int PAGE = 4096;
    private static final int PAGE_MAX = 1 << 20;
    private static final int CACHE_LINE = 64;
    private static final int CACHE_LINE_MAX = 4096;
    private static final int MTU_CODES = 5;
    private static final int MTU_SHIFT = 7;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,4}\\.\\d{1,4}");

    /// @param ours largest payload of a packet that this side takes
    static PerftestHello swap(PerftestExchange exchange, int ours, String program) {
        version(exchange, program);
        int page = number(exchange, "a page", PAGE, PAGE_MAX);
        // The sender chooses the place of a message in a page.
        number(exchange, "a cache line", CACHE_LINE, CACHE_LINE_MAX);
        return new PerftestHello(page, mtu(exchange, ours));
    }

    private static void version(PerftestExchange exchange, String program) {
        byte[] version = Arrays.copyOf(VERSION.getBytes(StandardCharsets.US_ASCII), VERSION_BYTES);
        byte[] theirs = exchange.swap(version, PerftestExchange.Work.NAP);
        String text = new String(theirs, StandardCharsets.US_ASCII);
        int end = text.indexOf('\0');
        if (end < 0 || !NUMBER.matcher(text.substring(0, end)).matches()) {
            throw new PerfException(
                    "%s: '%s' is not a version of perftest; start %s, or use --perftest on both"
                                    .formatted(exchange.peerName(), PerfTcp.shown(text), program)
                            + " sides");
        }
    }

    /// The larger of both.
    private static int number(PerftestExchange exchange, String what, int ours, int max) {
        byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(ours).array();
        int theirs = ByteBuffer.wrap(exchange.swap(bytes, PerftestExchange.Work.NAP)).getInt();
        if (theirs < 1 || theirs > max) {
            throw new PerfException(
                    "%s: %s of %d bytes, not 1 to %d; check whether it is a program of perftest"
                            .formatted(exchange.peerName(), what, theirs, max));
        }
        return Math.max(ours, theirs);
    }

    /// The smaller of both; a value that is not an MTU is ignored, as in perftest.
    private static int mtu(PerftestExchange exchange, int ours) {
        int code = Integer.numberOfTrailingZeros(ours) - MTU_SHIFT;
        byte[] theirs =
                exchange.swap(new byte[] {(byte) ('0' + code), 0}, PerftestExchange.Work.NAP);
        int heard = theirs[0] - '0';
        return heard >= 1 && heard <= MTU_CODES ? Math.min(ours, 1 << (heard + MTU_SHIFT)) : ours;
    }
}
