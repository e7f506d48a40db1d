package dev.verbena.fabric;

import java.util.SplittableRandom;

/// What is wrong with one direction of a cable: packets that it loses, time that they take, and
/// whether it is unplugged.
final class LinkFault {
    private final SplittableRandom random;
    private double loss;
    private double rate = 1;
    private boolean isDown;

    /// What has left the port by then is lost.
    private long lostUntilPs = -1;

    private long lost;
    private long downs;

    LinkFault(long seed) {
        random = new SplittableRandom(seed);
    }

    /// @param share of the packets; 0 for none
    void lose(double share) {
        loss = share;
    }

    /// @param share of the cable's rate that is left; 1 for all of it
    void slow(double share) {
        rate = share;
    }

    boolean isSlow() {
        return rate < 1;
    }

    void down() {
        isDown = true;
        downs++;
    }

    /// @param leavesPs when the packet has left that the port is sending; it began before the cable
    ///   was back, and is lost
    void up(long leavesPs) {
        isDown = false;
        lostUntilPs = leavesPs;
    }

    boolean isDown() {
        return isDown;
    }

    /// How long something is on its way onto the cable that takes `usualPs` on a sound one.
    long durationPs(long usualPs) {
        return isSlow() ? (long) Math.ceil(usualPs / rate) : usualPs;
    }

    /// Whether the cable was unplugged while something was on it that arrives now.
    boolean wasDown(long nowPs, long delayPs) {
        return isDown || nowPs - delayPs <= lostUntilPs;
    }

    /// Whether the next packet or frame is lost.
    boolean loses() {
        return loss > 0 && random.nextDouble() < loss;
    }

    void lost() {
        lost++;
    }

    /// Packets that were lost, without frames between neighbours.
    long lostPackets() {
        return lost;
    }

    /// How often it was unplugged.
    long downs() {
        return downs;
    }
}
