package dev.verbena.fabric;

import java.lang.foreign.MemorySegment;

/// The receiving end: puts segments in order, and answers (RFC 5681, 4.2).
final class TcpReceiver extends TcpEnd {
    private final TcpSettings settings;
    private final int segmentBytes;
    private final long bytes;

    /// A bit for each segment beyond the first that lacks, by its number modulo the bits.
    private final long[] early;

    private long expected;
    private int earlyCount;

    /// Segments in order since the last answer.
    private int unanswered;

    /// Answers to send.
    private int owed;

    /// When the packet was made that the next answer is for; RFC 7323, 4.3.
    private long echoPs;

    private long answered;

    TcpReceiver(NicTcp tcp, int port, TcpSettings settings, long bytes) {
        super(tcp, port);
        this.settings = settings;
        this.bytes = bytes;
        segmentBytes = settings.segmentBytes();
        int most = Math.ceilDiv(settings.windowMaxBytes(), segmentBytes) + 1;
        early = new long[Integer.highestOneBit(Math.ceilDiv(most, Long.SIZE)) * 2];
    }

    long deliveredBytes() {
        return expected;
    }

    @Override
    void arrived(MemorySegment headers, long at, int payloadBytes, long nowPs) {
        long sequence = TcpHeader.sequence(headers, at);
        if (sequence <= answered) {
            echoPs = Math.max(echoPs, TcpHeader.stampPs(headers, at));
        }
        if (sequence == expected) {
            inOrder(payloadBytes, nowPs);
        } else {
            if (sequence > expected) {
                keep(sequence);
            }
            // The sender counts these answers: none may stand for another.
            owed++;
        }
        tcp.offer(this);
    }

    private void inOrder(int payloadBytes, long nowPs) {
        boolean fillsGap = earlyCount > 0;
        expected += payloadBytes;
        while (earlyCount > 0 && forget(expected)) {
            expected = Math.min(bytes, expected + segmentBytes);
        }
        unanswered++;
        boolean isDue = fillsGap || unanswered >= settings.ackEvery() || expected == bytes;
        if (isDue || owed > 0) {
            // What was owed for an earlier byte is in this one; twice the same would look like a
            // loss.
            owed = 1;
        } else if (deadlinePs() == EventQueue.NEVER) {
            deadline(nowPs + settings.ackDelayPs());
        }
    }

    private void keep(long sequence) {
        long segment = sequence / segmentBytes;
        int word = (int) (segment / Long.SIZE) & (early.length - 1);
        long bit = 1L << segment;
        if ((early[word] & bit) == 0) {
            early[word] |= bit;
            earlyCount++;
        }
    }

    /// Whether a segment came early; it is in order now.
    private boolean forget(long sequence) {
        long segment = sequence / segmentBytes;
        int word = (int) (segment / Long.SIZE) & (early.length - 1);
        long bit = 1L << segment;
        if ((early[word] & bit) == 0) {
            return false;
        }
        early[word] &= ~bit;
        earlyCount--;
        return true;
    }

    @Override
    boolean hasPacket() {
        return owed > 0;
    }

    @Override
    int write(MemorySegment headers, long at, long nowPs) {
        TcpHeader.set(headers, at, 0, expected, nowPs, echoPs);
        owed--;
        unanswered = 0;
        answered = expected;
        noDeadline();
        if (expected == bytes) {
            tcp.remove(this);
        }
        return 0;
    }

    @Override
    void expired(long nowPs) {
        owed = Math.max(owed, 1);
        tcp.offer(this);
    }
}
