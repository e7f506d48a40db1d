package dev.verbena.fabric;

/// What a [TcpFlow] is set to.
///
/// @param segmentBytes payload of a full segment, or [#AS_THE_MTU]: then packets of TCP are as long
///   as those of RDMA, apart from the headers
/// @param initialSegments segments of the first window; RFC 6928 and Linux have 10
/// @param windowMaxBytes the most that is under way, which is the window that the receiver offers;
///   4 MiB is the largest send buffer that Linux gives on its own (`tcp_wmem`)
/// @param minTimeoutPs the least time until a segment is sent again for want of an answer; RFC 6298
///   asks for a second, and Linux has 200 ms (`TCP_RTO_MIN`)
/// @param ackEvery segments after which the receiver answers at once; RFC 5681 asks for 2 at most
/// @param ackDelayPs how long it may keep an answer to fewer; RFC 5681 allows 500 ms, and Linux has
///   40 ms (`TCP_DELACK_MIN`)
public record TcpSettings(
        int segmentBytes,
        int initialSegments,
        int windowMaxBytes,
        long minTimeoutPs,
        int ackEvery,
        long ackDelayPs) {
    /// In place of the bytes of a segment: the MTU of the fabric.
    public static final int AS_THE_MTU = 0;

    private static final long MS = 1_000_000_000;
    private static final int WINDOW_LIMIT = 1 << 30;

    /// As Linux has it, with segments as long as the MTU.
    public static final TcpSettings DEFAULT =
            new TcpSettings(AS_THE_MTU, 10, 4 << 20, 200 * MS, 2, 40 * MS);

    public TcpSettings {
        // RFC 7323, 2.3: a window has at most 2^30 bytes.
        if (segmentBytes < 0 || windowMaxBytes < 1 || windowMaxBytes > WINDOW_LIMIT) {
            throw new IllegalArgumentException(
                    "segments of %d bytes in a window of %d: use 0 or more, and 1 to %d"
                            .formatted(segmentBytes, windowMaxBytes, WINDOW_LIMIT));
        }
        if (initialSegments < 1 || ackEvery < 1 || ackDelayPs < 1 || minTimeoutPs < 1) {
            throw new IllegalArgumentException(
                    ("%d initial segments, an answer to %d or after %d ps, a timeout of %d ps: "
                                    + "use 1 or more")
                            .formatted(initialSegments, ackEvery, ackDelayPs, minTimeoutPs));
        }
    }

    public TcpSettings withSegmentBytes(int value) {
        return new TcpSettings(
                value, initialSegments, windowMaxBytes, minTimeoutPs, ackEvery, ackDelayPs);
    }

    public TcpSettings withInitialSegments(int value) {
        return new TcpSettings(
                segmentBytes, value, windowMaxBytes, minTimeoutPs, ackEvery, ackDelayPs);
    }

    public TcpSettings withWindowMaxBytes(int value) {
        return new TcpSettings(
                segmentBytes, initialSegments, value, minTimeoutPs, ackEvery, ackDelayPs);
    }

    public TcpSettings withMinTimeoutPs(long value) {
        return new TcpSettings(
                segmentBytes, initialSegments, windowMaxBytes, value, ackEvery, ackDelayPs);
    }

    public TcpSettings withAck(int every, long delayPs) {
        return new TcpSettings(
                segmentBytes, initialSegments, windowMaxBytes, minTimeoutPs, every, delayPs);
    }

    /// The same with the segments that a fabric of this MTU carries.
    TcpSettings over(int mtu) {
        int bytes = segmentBytes == AS_THE_MTU ? mtu : segmentBytes;
        if (bytes > mtu || 2 * bytes > windowMaxBytes) {
            throw new IllegalArgumentException(
                    ("TCP segments of %d bytes in a window of %d: "
                                    + "use at most the MTU, %d, and a window of two or more")
                            .formatted(bytes, windowMaxBytes, mtu));
        }
        return withSegmentBytes(bytes);
    }
}
