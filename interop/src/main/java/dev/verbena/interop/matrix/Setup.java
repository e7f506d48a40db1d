package dev.verbena.interop.matrix;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.QueuePairType;
import java.util.Set;

/// How a side is set up for a cell.
///
/// @param type of its queue pairs, and `pairs` how many of them
/// @param shared whether they take their receives from one shared queue
/// @param psn the first sequence number that it sends
/// @param rights of its memory
/// @param retries how often a request is sent again before it fails
/// @param rnrRetries how often it is after "no receive is posted"; 7 is for ever
record Setup(
        QueuePairType type,
        int pairs,
        boolean shared,
        int psn,
        Set<Access> rights,
        int retries,
        int rnrRetries) {
    /// Bytes of memory: a source and a target, each with room for the longest message.
    static final long MEMORY_BYTES = 4 << 20;

    /// Waits before a request is sent again: 4.096 µs * 2^17, which is 537 ms. Usual is 14, but an
    /// emulated machine on a busy host may take longer than all retries of that to get through what
    /// is sent again after a fault.
    static final int TIMEOUT = 17;

    /// What a side without a receive request asks its peer to wait: code 12 is 0.64 ms.
    static final int RNR_TIMER = 12;

    /// What datagrams must show.
    static final int QUEUE_KEY = 0x1234_5678;

    /// READs and atomics in flight.
    static final int READS = 4;

    private static final Set<Access> ALL =
            Set.of(
                    Access.LOCAL_WRITE,
                    Access.REMOTE_READ,
                    Access.REMOTE_WRITE,
                    Access.REMOTE_ATOMIC,
                    Access.WINDOW_BIND);

    // Not 7 retries: the Linux driver takes that for "never give up", others for seven.
    static final Setup ORDINARY = new Setup(QueuePairType.RC, 1, false, 0x1000, ALL, 6, 7);

    /// One that takes from a shared queue, with that many queue pairs.
    static Setup sharing(int pairs) {
        return new Setup(
                QueuePairType.RC,
                pairs,
                true,
                ORDINARY.psn,
                ALL,
                ORDINARY.retries,
                ORDINARY.rnrRetries);
    }

    Setup type(QueuePairType value) {
        return new Setup(value, pairs, shared, psn, rights, retries, rnrRetries);
    }

    Setup psn(int value) {
        return new Setup(type, pairs, shared, value, rights, retries, rnrRetries);
    }

    Setup rights(Set<Access> value) {
        return new Setup(type, pairs, shared, psn, value, retries, rnrRetries);
    }

    Setup rnrRetries(int value) {
        return new Setup(type, pairs, shared, psn, rights, retries, value);
    }

    /// Bytes in front of a received message.
    int headerBytes() {
        return type == QueuePairType.UD ? DatagramHeader.LENGTH : 0;
    }

    /// The queue key of its queue pairs; only datagrams have one.
    int queueKey() {
        return type == QueuePairType.UD ? QUEUE_KEY : 0;
    }
}
