package dev.verbena.transport.schedule;

import dev.verbena.transport.carrier.CongestionSettings;

/// DCQCN's reaction point: the rate of one queue pair, as published (SIGCOMM 2015).
///
/// A notification sets the target rate to the current rate and reduces the current rate by half of
/// alpha; alpha measures the recent congestion. Then a timer and a byte counter raise the rate
/// again, in stages: half way to the target each time, then with the target raised a little, then
/// with the target raised much.
///
/// There is no timer of its own here: steps that became due are applied, in order, when the rate is
/// needed next. So a queue pair that sends nothing costs nothing.
public final class Dcqcn implements RateControl {
    private final CongestionSettings settings;
    private final double maxRate;
    private final Pacer pacer;

    private boolean isLimited;
    private boolean hasSent;
    private double rate;
    private double target;
    private double alpha;
    private long alphaDueNs;
    private long riseDueNs;
    private long lastCutNs;
    private long bytes;
    private int risesByTime;
    private int risesByBytes;

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
    public long earliestNs() {
        return pacer.earliestNs();
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
        if (isLimited) {
            bytes += length;
            while (isLimited && bytes >= settings.byteReset()) {
                bytes -= settings.byteReset();
                risesByBytes++;
                rise();
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
        if (!isLimited) {
            isLimited = true;
            rate = maxRate;
            alpha = settings.initialAlpha();
        } else if (nowNs - lastCutNs < settings.cutEveryNs()) {
            return;
        }
        double before = rate;
        target = before;
        rate = before * (1 - alpha / 2);
        rate = Math.max(rate, before * settings.leastPartOfCut());
        rate = Math.max(rate, Math.min((double) settings.minRate(), before));
        alpha = (1 - settings.g()) * alpha + settings.g();
        lastCutNs = nowNs;
        alphaDueNs = nowNs + settings.alphaEveryNs();
        riseDueNs = nowNs + settings.riseEveryNs();
        bytes = 0;
        risesByTime = 0;
        risesByBytes = 0;
        pacer.rate((long) rate);
    }

    /// Applies the steps that became due, in order of time; alpha first where both are due at once.
    private void makeUp(long nowNs) {
        while (isLimited && Math.min(alphaDueNs, riseDueNs) <= nowNs) {
            if (alphaDueNs <= riseDueNs) {
                alpha = (1 - settings.g()) * alpha;
                alphaDueNs += settings.alphaEveryNs();
            } else {
                riseDueNs += settings.riseEveryNs();
                risesByTime++;
                rise();
            }
        }
    }

    private void rise() {
        int stages = settings.recoveryStages();
        if (Math.max(risesByTime, risesByBytes) >= stages) {
            boolean isHyper = Math.min(risesByTime, risesByBytes) > stages;
            target += isHyper ? settings.hyperStep() : settings.step();
            target = Math.min(target, maxRate);
        }
        rate = (target + rate) / 2;
        // Halves would never reach it.
        if (maxRate - rate < 1) {
            rate = maxRate;
            isLimited = false;
        }
        pacer.rate((long) rate);
    }
}
