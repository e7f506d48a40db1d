package dev.verbena.transport.schedule;

import dev.verbena.transport.carrier.CongestionSettings;

/// DCQCN's reaction point: the rate of one queue pair, as published (SIGCOMM 2015) or as adapters
/// have it.
///
/// A notification reduces the rate by half of alpha; alpha measures the recent congestion. Then a
/// timer and a byte counter raise the rate again, in stages: half way to the target each time, then
/// with the target raised a little, then with the target raised much. The target is the rate before
/// the cut: before each cut as published, before the first of a row of cuts in adapters.
///
/// As published a notification cuts at once and raises alpha. In adapters time has periods: a cut
/// comes at most once in a period, and alpha rises or falls at the end of each of its own periods,
/// whether a notification came in it or not.
///
/// There is no timer of its own here: steps that became due are applied, in order, when the rate is
/// needed next. So a queue pair that sends nothing costs nothing.
public final class Dcqcn implements RateControl {
    private static final long NEVER = Long.MAX_VALUE;

    private final CongestionSettings settings;
    private final double maxRate;
    private final Pacer pacer;

    private boolean isLimited;
    private boolean hasSent;

    /// Whether a notification arrived in this period of alpha.
    private boolean isNotified;

    private double rate;
    private double target;
    private double alpha;
    private long alphaDueNs;
    private long riseDueNs;

    /// When the next cut takes effect, of a notification that arrived too soon after the last.
    private long cutDueNs = NEVER;

    private long lastCutNs;
    private long bytes;
    private int risesByTime;
    private int risesByBytes;
    private long cuts;

    /// @param limit a rate that the program has asked for, or 0
    public Dcqcn(CongestionSettings settings, long limit, long catchUpNs) {
        this.settings = settings;
        long most = limit == 0 ? settings.maxRate() : Math.min(limit, settings.maxRate());
        maxRate = most;
        pacer = new Pacer(most, catchUpNs);
        rate = most;
        target = most;
    }

    /// The current rate, in bits a second.
    public double rate() {
        return rate;
    }

    double target() {
        return target;
    }

    double alpha() {
        return alpha;
    }

    /// Whether it is below the line's rate since a notification.
    boolean isLimited() {
        return isLimited;
    }

    @Override
    public long earliestNs(long nowNs) {
        makeUp(nowNs);
        long paceNs = pacer.earliestNs(nowNs);
        // A packet of a slow queue pair may be due later than the next increase, which makes it due
        // earlier.
        return isLimited ? Math.min(paceNs, riseDueNs) : paceNs;
    }

    @Override
    public void resumed(long nowNs) {
        makeUp(nowNs);
        pacer.resumed(nowNs);
    }

    @Override
    public void sent(long nowNs, int length) {
        makeUp(nowNs);
        hasSent = true;
        pacer.sent(nowNs, length);
        long every = settings.rise().everyBytes();
        if (isLimited && every > 0) {
            bytes += length;
            while (isLimited && bytes >= every) {
                bytes -= every;
                risesByBytes++;
                rise(nowNs);
            }
        }
    }

    @Override
    public boolean takeSent() {
        boolean sent = hasSent;
        hasSent = false;
        return sent;
    }

    @Override
    public void congested(long nowNs) {
        makeUp(nowNs);
        long everyNs = settings.cut().everyNs();
        if (!isLimited) {
            begin(nowNs);
            cut(nowNs);
        } else if (everyNs == 0) {
            cut(nowNs);
        } else {
            isNotified = true;
            cutDueNs = Math.max(nowNs, lastCutNs + everyNs);
            makeUp(nowNs);
        }
    }

    /// The first notification of a queue pair that was free.
    private void begin(long nowNs) {
        isLimited = true;
        double first = settings.cut().firstRate();
        rate = first == 0 ? maxRate : Math.min(first, maxRate);
        target = rate;
        alpha = settings.alpha().first();
        alphaDueNs = nowNs + settings.alpha().everyNs();
        isNotified = false;
    }

    @Override
    public long cuts() {
        return cuts;
    }

    private void cut(long nowNs) {
        cuts++;
        CongestionSettings.Cut how = settings.cut();
        boolean hasRisen = risesByBytes > 0 || (how.clampsAfterTimer() && risesByTime > 0);
        double before = rate;
        if (how.clamps() || hasRisen) {
            target = before;
        }
        rate = before * (1 - alpha * how.ofAlpha());
        rate = Math.max(rate, before * how.leastPart());
        rate = Math.max(rate, Math.min((double) how.minRate(), before));
        if (how.everyNs() == 0) {
            double g = settings.alpha().g();
            alpha = (1 - g) * alpha + g;
            alphaDueNs = nowNs + settings.alpha().everyNs();
        }
        lastCutNs = nowNs;
        cutDueNs = NEVER;
        riseDueNs = nowNs + settings.rise().everyNs();
        bytes = 0;
        risesByTime = 0;
        risesByBytes = 0;
        pacer.rate((long) rate, nowNs);
    }

    /// Applies the steps that became due, in order of time; of those due at once, alpha first, and
    /// a cut before an increase.
    private void makeUp(long nowNs) {
        while (isLimited && Math.min(Math.min(alphaDueNs, cutDueNs), riseDueNs) <= nowNs) {
            if (alphaDueNs <= Math.min(cutDueNs, riseDueNs)) {
                updateAlpha();
            } else if (cutDueNs <= riseDueNs) {
                cut(cutDueNs);
            } else {
                long dueNs = riseDueNs;
                riseDueNs += settings.rise().everyNs();
                risesByTime++;
                rise(dueNs);
            }
        }
    }

    private void updateAlpha() {
        double g = settings.alpha().g();
        alpha = (1 - g) * alpha;
        if (isNotified) {
            alpha += g;
            isNotified = false;
        }
        alphaDueNs += settings.alpha().everyNs();
    }

    private void rise(long nowNs) {
        CongestionSettings.Rise how = settings.rise();
        int stages = how.stages();
        if (Math.max(risesByTime, risesByBytes) >= stages) {
            // Without a byte counter the timer counts for both.
            int both = how.everyBytes() == 0 ? risesByTime : Math.min(risesByTime, risesByBytes);
            target += both > stages ? how.hyperStep() : how.step();
            target = Math.min(target, maxRate);
        }
        rate = (target + rate) / 2;
        // Halves would never reach it.
        if (maxRate - rate < 1) {
            rate = maxRate;
            isLimited = false;
            cutDueNs = NEVER;
        }
        pacer.rate((long) rate, nowNs);
    }
}
