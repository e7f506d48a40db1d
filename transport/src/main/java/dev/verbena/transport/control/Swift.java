package dev.verbena.transport.control;

import java.util.Map;
import java.util.Objects;

/// Keeps the round trip near a target, after Swift (SIGCOMM 2020).
///
/// Below the target the window grows by `increase` packets in a round trip; above it, once in a
/// round trip, it falls by the part of the delay that is too much. The target is `base` times the
/// round trip of an empty network, and more for small windows: with many flows each has a small
/// one, and the queue that they make together grows with the root of their number. A window below
/// one packet becomes a pause between packets.
///
/// Its parameters are parts of a round trip and packets, so that they do not depend on the rate of
/// the line; the constants are ours, since the paper's belong to its network.
final class Swift implements CongestionControl {
    private static final double LEAST = 0.01;

    private final ControlFacts facts;
    private final double increase;
    private final double beta;
    private final double decreaseMax;
    private final double baseNs;
    private final double scaleNs;
    private final double scaleRoot;
    private final double scaleOffset;
    private final double most;

    /// In packets.
    private double window;

    private double roundTripNs;
    private long lastCutNs = Long.MIN_VALUE;
    private long nextNs = Long.MIN_VALUE;
    private long cuts;

    Swift(ControlFacts facts, Map<String, Double> parameters) {
        this.facts = facts;
        increase = positive(parameters, "increase");
        beta = positive(parameters, "beta");
        decreaseMax = positive(parameters, "decrease_max");
        require(decreaseMax < 1, "decrease_max", "less than 1");
        baseNs = positive(parameters, "base") * facts.roundTripNs();
        scaleNs = positive(parameters, "scale") * facts.roundTripNs();
        double smallest = positive(parameters, "scale_min");
        double largest = positive(parameters, "scale_max");
        require(smallest < largest, "scale_min", "less than scale_max");
        // The extra delay is all of the scale at the smallest window, and none at the largest.
        scaleRoot = 1 / (1 / Math.sqrt(smallest) - 1 / Math.sqrt(largest));
        scaleOffset = -scaleRoot / Math.sqrt(largest);
        most = Math.max(2, 2 * facts.bandwidthDelayBytes() / facts.mtu());
        window = Math.min(most, positive(parameters, "start") * most / 2);
        roundTripNs = facts.roundTripNs();
    }

    private static double positive(Map<String, Double> parameters, String name) {
        double value = Objects.requireNonNull(parameters.get(name), name);
        require(value > 0 && value < 1e9, name, "more than 0");
        return value;
    }

    private static void require(boolean isRight, String name, String range) {
        if (!isRight) {
            throw new IllegalArgumentException(
                    "swift's %s is out of range: use %s".formatted(name, range));
        }
    }

    /// The round trip that a window of this size is allowed.
    double targetNs() {
        double part = Math.clamp(scaleRoot / Math.sqrt(window) + scaleOffset, 0, 1);
        return baseNs + part * scaleNs;
    }

    double window() {
        return window;
    }

    @Override
    public void sent(long nowNs, int bytes) {
        if (window < 1) {
            nextNs = nowNs + (long) (roundTripNs / window);
        }
    }

    @Override
    public void acknowledged(long nowNs, int bytes, long sampleNs, boolean isMarked) {
        if (sampleNs == 0) {
            return;
        }
        roundTripNs = sampleNs;
        double packets = (double) bytes / facts.mtu();
        double targetNs = targetNs();
        if (sampleNs <= targetNs) {
            window += window >= 1 ? increase * packets / window : increase * packets;
        } else if (mayCut(nowNs)) {
            cut(nowNs, Math.max(1 - beta * (sampleNs - targetNs) / sampleNs, 1 - decreaseMax));
        }
        window = Math.clamp(window, LEAST, most);
        if (window >= 1) {
            nextNs = Long.MIN_VALUE;
        }
    }

    private boolean mayCut(long nowNs) {
        return lastCutNs == Long.MIN_VALUE || nowNs - lastCutNs >= roundTripNs;
    }

    @Override
    public long cuts() {
        return cuts;
    }

    private void cut(long nowNs, double part) {
        cuts++;
        window *= part;
        lastCutNs = nowNs;
    }

    @Override
    public void lost(long nowNs) {
        if (mayCut(nowNs)) {
            cut(nowNs, 1 - decreaseMax);
            window = Math.max(window, LEAST);
        }
    }

    @Override
    public long earliestNs() {
        return nextNs;
    }

    @Override
    public long windowBytes() {
        return (long) (Math.max(1, window) * facts.mtu());
    }
}
