package dev.verbena.transport;

import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Psn;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// What the wire saw and did to the requests of one queue pair and to their answers: the evidence
/// that a failure was earned.
///
/// An attempt begins whenever a request goes back behind what was sent before it. Attempts that
/// begin at the same sequence number are one series: there was no progress between them.
final class QueuePairLog {
    final int number;

    /// Set when the queue pair is connected, since a READ's sequence numbers depend on it.
    int mtu = 1024;

    /// Whether each packet is repeated for itself: then a series is the repetitions of the packet
    /// that was repeated most.
    boolean selective;

    private final Map<Integer, Integer> times = new HashMap<>();
    private final Set<Integer> wanting = new HashSet<>();

    long requestsSent;
    long requestsLost;
    long answersSent;
    long answersLost;
    long fatalNaksLost;

    /// RNR NAKs that came for [#rnrPsn] in a row; one that the wire doubled counts twice, since the
    /// requester cannot tell.
    int rnrInARow;

    private int rnrPsn = -1;

    /// Resends in the present series.
    int resends;

    /// Resends in the present series that nothing bad happened to, before the last.
    int unharmedResends;

    /// How often the request or the answer of a sequence number was lost.
    private final Map<Integer, Integer> losses = new HashMap<>();

    private boolean begun;
    private int expected;
    private int start;
    private boolean startWantsData;
    private int harms;

    QueuePairLog(int number) {
        this.number = number;
    }

    void requestSent(Flight packet) {
        requestsSent++;
        int psn = packet.psn();
        int end = Psn.plus(psn, packet.span(mtu));
        if (selective) {
            resends = Math.max(resends, times.merge(psn, 1, Integer::sum) - 1);
            if (packet.wantsData()) {
                wanting.add(psn);
            }
            return;
        }
        if (begun && Psn.distance(psn, expected) < 0 && !isProbe(psn, end)) {
            resend(psn);
            startWantsData = packet.wantsData();
        }
        begun = true;
        expected = end;
    }

    /// The last packet once more, within a series that began elsewhere. Where it is all there is in
    /// flight, it is a resend like others.
    private boolean isProbe(int psn, int end) {
        return end == expected && resends > 0 && psn != start;
    }

    private void resend(int psn) {
        if (psn != start || resends == 0) {
            start = psn;
            resends = 0;
            unharmedResends = 0;
        }
        // The answer itself may have been lost in an earlier series, whose later ones still came.
        if (harms == 0 && !losses.containsKey(psn)) {
            unharmedResends++;
        }
        resends++;
        harms = 0;
    }

    /// An answer reached the requester: the end of the series when it is progress.
    ///
    /// What answers something behind a READ or an atomic without its own answer is none: the
    /// requester must take it as a sign of loss (IBA 9.7.5.1.1, implied NAK).
    void answerDelivered(Flight packet) {
        if (packet.harmed) {
            harm();
        }
        int ahead = Psn.distance(packet.psn(), start);
        int syndrome = packet.syndrome();
        if (syndrome >= 0 && AethSyndrome.kind(syndrome) == AethSyndrome.Kind.RNR_NAK) {
            refusedAt(packet.psn());
        }
        boolean positive = syndrome < 0 || AethSyndrome.kind(syndrome) == AethSyndrome.Kind.ACK;
        if (selective) {
            if (positive) {
                answered(packet.psn(), packet.carriesData());
            }
            return;
        }
        boolean progress = positive ? ahead >= 0 : ahead > 0;
        if (progress && (!startWantsData || (ahead == 0 && packet.carriesData()))) {
            resends = 0;
            unharmedResends = 0;
        }
    }

    /// What stands behind a READ or an atomic without its answer is not done with it.
    private void answered(int psn, boolean isData) {
        // Its own request is the last before it.
        int own = -1;
        for (int wanted : wanting) {
            boolean isBefore = Psn.distance(psn, wanted) >= 0;
            if (isData && isBefore && (own < 0 || Psn.distance(wanted, own) > 0)) {
                own = wanted;
            }
        }
        int end = Psn.plus(psn, 1);
        for (int wanted : wanting) {
            if (wanted != own && Psn.distance(end, wanted) > 0) {
                end = wanted;
            }
        }
        int done = end;
        wanting.removeIf(one -> Psn.distance(done, one) > 0);
        times.keySet().removeIf(one -> Psn.distance(done, one) > 0);
        resends = 0;
        times.values().forEach(count -> resends = Math.max(resends, count - 1));
    }

    private void refusedAt(int psn) {
        int ahead = rnrPsn < 0 ? 1 : Psn.distance(psn, rnrPsn);
        // One that comes late, for what was accepted since, means nothing.
        if (ahead >= 0) {
            rnrInARow = ahead == 0 ? rnrInARow + 1 : 1;
            rnrPsn = psn;
        }
    }

    /// Something other than an arrival in order happened to a request or an answer.
    void harm() {
        harms++;
    }

    void lost(Flight packet) {
        harm();
        losses.merge(packet.psn(), 1, Integer::sum);
        if (!packet.isResponse()) {
            requestsLost++;
            return;
        }
        answersLost++;
        int syndrome = packet.syndrome();
        if (syndrome > AethSyndrome.NAK_SEQUENCE) {
            fatalNaksLost++;
        }
    }

    /// Whether the requester tried as often as it had to and was hindered each time.
    boolean earnedRetryExceeded(int retryCount) {
        if (selective) {
            return resends >= retryCount && harms > 0;
        }
        return (resends - unharmedResends >= retryCount && harms > 0) || killed() > retryCount;
    }

    /// How often the packet that was lost most, of those since the last progress, was lost: a
    /// resend that goes on from one that was acknowledged is not seen as one here.
    private int killed() {
        int most = 0;
        int count = Psn.distance(expected, start);
        for (int i = 0; i < count; i++) {
            most = Math.max(most, losses.getOrDefault(Psn.plus(start, i), 0));
        }
        return most;
    }

    boolean earnedRnrExceeded(int rnrRetry) {
        return rnrRetry < 7 && rnrInARow > rnrRetry;
    }

    @Override
    public String toString() {
        return ("qp 0x%x: %d requests (%d lost), %d answers (%d lost), %d resends from psn 0x%x"
                        + " (%d of them unharmed, %d harms since), %d RNR NAKs for psn 0x%x")
                .formatted(
                        number,
                        requestsSent,
                        requestsLost,
                        answersSent,
                        answersLost,
                        resends,
                        start,
                        unharmedResends,
                        harms,
                        rnrInARow,
                        rnrPsn);
    }
}
