package dev.verbena.job.eyes;

import dev.verbena.collectives.trace.Message;

/// The time in which the bytes of a message passed its links: from its post to its acknowledgement,
/// without the latency of its way, of which half is before the first byte and half behind the last.
///
/// @param way the ports that it passed
@SuppressWarnings("ArrayRecordComponent") // transits are never compared
record Transit(Message message, int[] way, long fromNs, long untilNs) {
    /// @param latencyNs of the way
    /// @param leastNs what its bytes take at least
    static Transit of(Message message, int[] way, long latencyNs, long leastNs) {
        long tookNs = Math.max(Math.max(1, leastNs), message.tookNs() - latencyNs);
        long fromNs = message.postedNs() + (message.tookNs() - tookNs) / 2;
        return new Transit(message, way, fromNs, fromNs + tookNs);
    }

    long tookNs() {
        return untilNs - fromNs;
    }
}
