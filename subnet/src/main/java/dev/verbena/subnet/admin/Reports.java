package dev.verbena.subnet.admin;

import dev.verbena.subnet.state.Subscription;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.Notice;
import dev.verbena.wire.mad.SaHeader;
import dev.verbena.wire.mad.SaRecord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// Notices on their way to subscribers: each is sent until it is answered, a few times.
final class Reports {
    /// Those in flight; more wait, and when too many wait, new ones are dropped and counted.
    static final int IN_FLIGHT_MAX = 64;

    static final int WAITING_MAX = 4096;
    static final int RETRIES = 3;
    static final long TIMEOUT_NS = 1_000_000_000L;

    /// Tells these transaction IDs from those of requests that come.
    private static final long FIRST_TRANSACTION = 0x5245_0000L;

    private static final int TRANSACTION_AT = 8;

    private static final class Report {
        private final Peer to;
        private final MemorySegment mad;
        private int sent;
        private long deadlineNs;

        Report(Peer to, MemorySegment mad) {
            this.to = to;
            this.mad = mad;
        }
    }

    private final Map<Integer, Report> inFlight = new LinkedHashMap<>();
    private final ArrayDeque<Report> waiting = new ArrayDeque<>();
    private int transaction;
    private long dropped;

    /// Sends a notice to all subscribers that want it.
    ///
    /// @param notice 64 bytes
    /// @param issuer the port that makes it
    /// @param subject the port or group that it is about
    void add(
            MemorySegment notice, Gid issuer, Gid subject, Collection<Subscription> subscriptions) {
        Subscription.NoticeHead head =
                new Subscription.NoticeHead(
                        Notice.IS_GENERIC.read(notice, 0) == 1,
                        Notice.TYPE.readInt(notice, 0),
                        Notice.PRODUCER_TYPE.readInt(notice, 0),
                        Notice.TRAP_NUMBER.readInt(notice, 0),
                        Notice.ISSUER_LID.readInt(notice, 0));
        for (Subscription it : subscriptions) {
            if (!it.wants(head, subject)) {
                continue;
            }
            if (waiting.size() == WAITING_MAX) {
                dropped++;
                continue;
            }
            MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
            new Mad(
                            ManagementClass.SUBNET_ADMINISTRATION,
                            SaHeader.CLASS_VERSION,
                            MadMethod.REPORT,
                            0,
                            0,
                            0,
                            Notice.ATTRIBUTE_ID,
                            0)
                    .emit(mad, 0);
            MemorySegment.copy(notice, 0, mad, SaHeader.DATA, Notice.LENGTH);
            issuer.emit(mad, SaHeader.DATA + Notice.LENGTH);
            SaHeader.ATTRIBUTE_OFFSET.write(mad, 0, SaRecord.NOTICE.bytes() / 8);
            waiting.add(new Report(new Peer(it.lid(), it.queuePair()), mad));
        }
    }

    /// Reports that were dropped because too many waited.
    long dropped() {
        return dropped;
    }

    /// Takes an answer.
    ///
    /// @return whether there is a report that it answers
    boolean answered(Peer from, MemorySegment mad) {
        int low = (int) Mad.transactionId(mad, 0);
        Report report = inFlight.get(low);
        if (report == null || report.to.lid() != from.lid()) {
            return false;
        }
        inFlight.remove(low);
        return true;
    }

    void handleTimeout(long nowNs) {
        Iterator<Report> all = inFlight.values().iterator();
        while (all.hasNext()) {
            Report report = all.next();
            if (report.deadlineNs <= nowNs && report.sent > RETRIES) {
                all.remove();
            }
        }
    }

    long timeoutNs() {
        return inFlight.values().stream()
                .mapToLong(it -> it.deadlineNs)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    boolean transmit(long nowNs, Outlet outlet) {
        for (Report report : inFlight.values()) {
            if (report.deadlineNs <= nowNs && report.sent <= RETRIES) {
                send(report, nowNs, outlet);
                return true;
            }
        }
        if (waiting.isEmpty() || inFlight.size() == IN_FLIGHT_MAX) {
            return false;
        }
        Report next = waiting.remove();
        int low = (int) (FIRST_TRANSACTION + (transaction++ & 0xFFFF));
        BigEndian.put64(next.mad, TRANSACTION_AT, low);
        inFlight.put(low, next);
        send(next, nowNs, outlet);
        return true;
    }

    private static void send(Report report, long nowNs, Outlet outlet) {
        report.sent++;
        report.deadlineNs = nowNs + TIMEOUT_NS;
        MemorySegment copy = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
        outlet.send(report.to, copy.copyFrom(report.mad));
    }
}
