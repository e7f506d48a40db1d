package dev.verbena.transport.control;

import java.util.Map;
import java.util.Objects;

/// A window that follows both marks and delay: the rules of Ultra Ethernet's NSCC, as far as they
/// need neither trimmed packets nor several paths.
///
/// | marked | delay above an empty network | the window |
/// |---|---|---|
/// | no | below the target | grows with the distance from it, fast after a window without delay |
/// | no | above | grows a little: others are leaving |
/// | yes | above | falls, once in a round trip, by the part that the average delay is too long |
/// | yes | below | stays: a mark without delay says which path, not how much |
///
/// When there is loss, or far too much delay, and little arrives, the window becomes what did
/// arrive in the last period, and the marks of the packets in flight are no news.
final class Nscc implements CongestionControl {
    /// The bandwidth-delay product that the increases are scaled to, and its target.
    private static final double SCALE_BYTES = 150_000;

    private static final double SCALE_TARGET_NS = 12_000;

    private static final double GAIN = 0.0125;
    private static final double NO_DELAY_NS = 1_000;
    private static final int APPLY_PACKETS = 8;
    private static final double FAST_INCREASE = 0.25;
    private static final double LEAST_PART = 0.5;
    private static final int FAR_TARGETS = 4;
    private static final int LITTLE = 8;

    private final double mtu;
    private final double scale;
    private final double targetNs;
    private final double proportional;
    private final double fair;
    private final double eta;
    private final double gamma;
    private final double most;
    private final double roundTripNs;

    private double window;
    private double baseNs;
    private double averageNs;
    private double pending;
    private long sinceApplied;
    private long appliedNs;
    private long quietBytes;
    private long cuts;
    private long lastCutNs = Long.MIN_VALUE;
    private boolean isStarted;

    /// The period that is judged for little progress.
    private long periodNs;

    private long achieved;
    private boolean isTrouble;
    private long ignored;
    private long inFlight;

    Nscc(ControlFacts facts, Map<String, Double> parameters) {
        mtu = facts.mtu();
        roundTripNs = facts.roundTripNs();
        double product = facts.bandwidthDelayBytes();
        scale = product / SCALE_BYTES;
        targetNs = positive(parameters, "target") * roundTripNs;
        double targets = targetNs / SCALE_TARGET_NS;
        proportional =
                positive(parameters, "proportional_increase") * mtu * scale * targets / targetNs;
        fair = positive(parameters, "fair_increase") * mtu * scale;
        eta = positive(parameters, "eta") * mtu * scale;
        gamma = positive(parameters, "gamma");
        most = Math.max(mtu, positive(parameters, "window") * product);
        window = most;
        baseNs = roundTripNs;
    }

    private static double positive(Map<String, Double> parameters, String name) {
        double value = Objects.requireNonNull(parameters.get(name), name);
        if (!(value > 0 && value < 1e9)) {
            throw new IllegalArgumentException(
                    "nscc's %s is out of range: use more than 0".formatted(name));
        }
        return value;
    }

    double window() {
        return window;
    }

    double averageNs() {
        return averageNs;
    }

    @Override
    public void sent(long nowNs, int bytes) {
        inFlight += bytes;
        if (!isStarted) {
            isStarted = true;
            appliedNs = nowNs;
            periodNs = nowNs;
        }
    }

    @Override
    public void acknowledged(long nowNs, int bytes, long sampleNs, boolean isMarked) {
        inFlight = Math.max(0, inFlight - bytes);
        achieved += bytes;
        boolean isNews = ignored <= 0;
        ignored -= bytes;
        if (sampleNs > 0) {
            baseNs = Math.min(baseNs, (double) sampleNs);
            double delayNs = sampleNs - baseNs;
            average(delayNs, isMarked);
            isTrouble |= delayNs > FAR_TARGETS * targetNs;
            if (!quickAdapt(nowNs) && isNews) {
                follow(nowNs, bytes, delayNs, isMarked);
            }
        }
        sinceApplied += bytes;
        if (sinceApplied >= APPLY_PACKETS * mtu || nowNs - appliedNs >= roundTripNs) {
            apply(nowNs);
        }
        window = Math.clamp(window, mtu, most);
    }

    private void average(double delayNs, boolean isMarked) {
        // A long delay without a mark is that of a queue which is getting shorter.
        double counted = !isMarked && delayNs > targetNs ? baseNs / 4 : delayNs;
        averageNs += GAIN * (counted - averageNs);
    }

    private void follow(long nowNs, int bytes, double delayNs, boolean isMarked) {
        if (isMarked) {
            quietBytes = 0;
            if (delayNs >= targetNs && averageNs > targetNs && mayCut(nowNs)) {
                double part = 1 - gamma * (averageNs - targetNs) / averageNs;
                window *= Math.max(part, LEAST_PART);
                cuts++;
                lastCutNs = nowNs;
            }
        } else if (delayNs >= targetNs) {
            quietBytes = 0;
            pending += fair * bytes;
        } else {
            quietBytes = delayNs < NO_DELAY_NS ? quietBytes + bytes : 0;
            if (quietBytes > window) {
                window += FAST_INCREASE * scale * bytes;
            } else {
                pending += proportional * bytes * (targetNs - delayNs);
            }
        }
    }

    private boolean mayCut(long nowNs) {
        return lastCutNs == Long.MIN_VALUE || nowNs - lastCutNs >= baseNs;
    }

    /// Increases add up, and are applied now and then.
    private void apply(long nowNs) {
        window += pending / window;
        // A queue pair that was idle has learnt nothing meanwhile.
        window += eta * Math.min(1, (nowNs - appliedNs) / roundTripNs);
        pending = 0;
        sinceApplied = 0;
        appliedNs = nowNs;
    }

    /// Whether the window was set to what arrived.
    private boolean quickAdapt(long nowNs) {
        if (nowNs - periodNs < baseNs + targetNs) {
            return false;
        }
        boolean isLittle = isTrouble && achieved < most / LITTLE;
        if (isLittle) {
            window = Math.max((double) achieved, mtu);
            cuts++;
            ignored = inFlight;
        }
        isTrouble = false;
        achieved = 0;
        periodNs = nowNs;
        return isLittle;
    }

    @Override
    public void lost(long nowNs) {
        isTrouble = true;
        // All in flight is sent again, and counted again.
        inFlight = 0;
    }

    @Override
    public long cuts() {
        return cuts;
    }

    @Override
    public long windowBytes() {
        return (long) window;
    }
}
