package dev.verbena.fabric;

import java.lang.foreign.MemorySegment;

/// The sending end: how much may be under way, and what is sent again.
///
/// RFC 5681 (Reno), with RFC 6582 where several segments of a window are lost (NewReno), RFC 3042
/// (a new segment for each of the first two duplicate answers), RFC 3465 (windows grow by bytes, so
/// that a receiver that answers every second segment does not slow them down), and RFC 6298 for the
/// timeout, measured by timestamps (RFC 7323). Bytes count from 0.
final class TcpSender extends TcpEnd {
    private static final int DUPLICATES = 3;

    /// RFC 3465, 2.3: of one answer, no more segments than this open the window.
    private static final int OPENED_MAX = 2;

    private static final long FIRST_TIMEOUT_PS = 1_000_000_000_000L;
    private static final long LONGEST_TIMEOUT_PS = 60 * FIRST_TIMEOUT_PS;

    private final TcpSettings settings;
    private final int segment;
    private final long bytes;
    private Runnable whenOver = () -> {};

    private long startedPs = FlowRun.NOT_YET;
    private long endPs = FlowRun.NOT_YET;

    /// The first byte that is not acknowledged, the next one to send, and the first one that was
    /// never sent.
    private long first;

    private long next;
    private long sentTo;

    private int window;
    private int threshold;

    /// Bytes that were acknowledged since the window last grew, above the threshold.
    private int grown;

    private int duplicates;
    private boolean isRecovering;
    private boolean hasPartial;

    /// Whether the first byte that is not acknowledged is to be sent again.
    private boolean isResending;

    /// Where recovery ends; after it, answers up to here do not begin another one.
    private long recover = -1;

    private long meanPs = -1;
    private long spreadPs;
    private long timeoutPs = FIRST_TIMEOUT_PS;
    private boolean isBackedOff;

    private long retransmitted;
    private long timeouts;
    private long cuts;

    TcpSender(NicTcp tcp, int port, TcpSettings settings, long bytes) {
        super(tcp, port);
        this.settings = settings;
        this.bytes = bytes;
        segment = settings.segmentBytes();
        long initial = (long) settings.initialSegments() * segment;
        window = (int) Math.min(settings.windowMaxBytes(), initial);
        threshold = settings.windowMaxBytes();
    }

    void begin(long nowPs) {
        startedPs = nowPs;
        tcp.offer(this);
        nic().port().wake(nowPs);
    }

    void whenOver(Runnable listener) {
        whenOver = listener;
    }

    private boolean isOpen() {
        return startedPs != FlowRun.NOT_YET && endPs == FlowRun.NOT_YET;
    }

    @Override
    boolean hasPacket() {
        return isOpen()
                && (isResending || (next < bytes && next + lengthAt(next) <= first + allowed()));
    }

    private int lengthAt(long at) {
        return (int) Math.min(segment, bytes - at);
    }

    /// Bytes that may be under way: RFC 3042 adds two segments at most.
    private int allowed() {
        int more = isRecovering ? 0 : Math.min(duplicates, DUPLICATES - 1) * segment;
        return Math.min(window + more, settings.windowMaxBytes());
    }

    @Override
    int write(MemorySegment headers, long at, long nowPs) {
        long from = isResending ? first : next;
        int length = lengthAt(from);
        if (!isResending) {
            next += length;
        }
        isResending = false;
        if (from < sentTo) {
            retransmitted++;
        }
        sentTo = Math.max(sentTo, from + length);
        TcpHeader.set(headers, at, from, 0, nowPs, 0);
        if (deadlinePs() == EventQueue.NEVER) {
            deadline(nowPs + timeoutPs);
        }
        return length;
    }

    @Override
    void arrived(MemorySegment headers, long at, int payloadBytes, long nowPs) {
        if (!isOpen()) {
            return;
        }
        long answer = TcpHeader.acknowledged(headers, at);
        if (answer > first) {
            measure(nowPs - TcpHeader.echoPs(headers, at));
            acknowledged(answer, nowPs);
        } else if (answer == first && next > first) {
            duplicate();
        }
        tcp.offer(this);
    }

    private void acknowledged(long answer, long nowPs) {
        long flight = next - first;
        int acked = (int) (answer - first);
        first = answer;
        next = Math.max(next, first);
        isBackedOff = false;
        boolean isPartial = isRecovering && first < recover;
        if (isPartial) {
            partial(acked);
        } else if (isRecovering) {
            recovered();
        } else {
            duplicates = 0;
            // RFC 7661, 4.1: a window that is not used says nothing about the network.
            if (2 * flight >= window) {
                grow(acked);
            }
        }
        if (first == bytes) {
            over(nowPs);
        } else if (next == first) {
            noDeadline();
        } else if (!isPartial || !hasPartial) {
            // RFC 6582, 3.2: of partial answers only the first restarts the timer.
            deadline(nowPs + timeoutPs);
        }
        hasPartial = isPartial;
    }

    /// RFC 5681, 3.1, counted by bytes.
    private void grow(int acked) {
        if (window < threshold) {
            // After a timeout what is answered may have been sent before it.
            int most = first <= recover ? segment : OPENED_MAX * segment;
            window += Math.min(acked, most);
        } else {
            grown += acked;
            if (grown >= window) {
                grown -= window;
                window += segment;
            }
        }
        window = Math.min(window, settings.windowMaxBytes());
    }

    private void duplicate() {
        duplicates++;
        if (isRecovering) {
            // A segment has left the network.
            window = Math.min(window + segment, settings.windowMaxBytes());
        } else if (duplicates == DUPLICATES && first > recover) {
            // Without what RFC 3042 has added.
            cut((int) Math.min(window, next - first));
            window = threshold + DUPLICATES * segment;
            isRecovering = true;
            hasPartial = false;
            isResending = true;
            recover = sentTo;
        }
    }

    /// RFC 5681, 3.1, equation 4, in whole segments: no others are sent.
    private void cut(int flight) {
        cuts++;
        threshold = Math.max(flight / 2 / segment, 2) * segment;
        grown = 0;
    }

    /// RFC 6582, 3.2, step 3: the next one is lost as well.
    private void partial(int acked) {
        isResending = true;
        window = Math.max(segment, window - acked + (acked >= segment ? segment : 0));
    }

    /// Step 3 too: all that was under way when the loss was seen has come.
    private void recovered() {
        isRecovering = false;
        duplicates = 0;
        window = (int) Math.min(threshold, Math.max(next - first, segment) + segment);
        // On one way only what was lost is sent twice, and so a next loss may begin right here.
        recover = first - 1;
    }

    /// RFC 6298, 2.
    private void measure(long tripPs) {
        if (meanPs < 0) {
            meanPs = tripPs;
            spreadPs = tripPs / 2;
        } else {
            spreadPs += (Math.abs(meanPs - tripPs) - spreadPs) / 4;
            meanPs += (tripPs - meanPs) / 8;
        }
        timeoutPs = Math.clamp(meanPs + 4 * spreadPs, settings.minTimeoutPs(), LONGEST_TIMEOUT_PS);
    }

    /// RFC 6298, 5.4 to 5.6; RFC 5681, 3.1.
    @Override
    void expired(long nowPs) {
        timeouts++;
        if (isBackedOff || isRecovering) {
            // The threshold was set for this loss already.
            cuts++;
        } else {
            cut((int) (next - first));
        }
        isBackedOff = true;
        window = segment;
        grown = 0;
        next = first;
        recover = sentTo;
        isRecovering = false;
        isResending = false;
        duplicates = 0;
        timeoutPs = Math.min(2 * timeoutPs, LONGEST_TIMEOUT_PS);
        tcp.offer(this);
    }

    private void over(long nowPs) {
        endPs = nowPs;
        noDeadline();
        tcp.remove(this);
        whenOver.run();
    }

    long startedPs() {
        return startedPs;
    }

    long endPs() {
        return endPs;
    }

    int windowBytes() {
        return window;
    }

    long retransmitted() {
        return retransmitted;
    }

    long timeouts() {
        return timeouts;
    }

    long cuts() {
        return cuts;
    }
}
