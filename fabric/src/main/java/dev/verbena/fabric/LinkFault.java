package dev.verbena.fabric;

import java.util.Arrays;
import java.util.SplittableRandom;

/// What is wrong with one direction of a cable: packets that it loses, time that they take, and
/// whether it is unplugged.
final class LinkFault {
    /// Of a frame between neighbours.
    private static final int FRAME_BYTES = 64;

    private final SplittableRandom random;
    private double loss;

    /// The chance that a codeword is lost by wrong bits.
    private double codewordLoss;

    /// A bit for each lane whose packets are thrown away, see [PfcWatchdog].
    private int discarded;

    private long discards;
    private double rate = 1;
    private boolean isDown;

    /// What has left the port by then is lost.
    private long lostUntilPs = -1;

    /// Packets and their bytes by lane that were sent while there was no cable.
    private final long[] gonePackets = new long[InfiniBandPort.LANES];

    private final long[] goneBytes = new long[InfiniBandPort.LANES];

    private long lost;
    private long downs;

    LinkFault(long seed) {
        random = new SplittableRandom(seed);
    }

    /// @param share of the packets; 0 for none
    void lose(double share) {
        loss = share;
    }

    /// @param share of bits that are wrong before correction; 0 for none
    void flip(double share) {
        codewordLoss = share == 0 ? 0 : Kp4.codewordLoss(share);
    }

    /// Throws away what leaves in some lanes, in place of those before.
    void discard(int lanes) {
        discarded = lanes;
    }

    /// Whether a packet or frame is not carried at all.
    boolean takes(long tag) {
        boolean isDiscarded = !LinkFrame.is(tag) && (discarded & (1 << Tag.lane(tag))) != 0;
        discards += isDiscarded ? 1 : 0;
        return isDown || isDiscarded;
    }

    /// Packets that were thrown away.
    long discards() {
        return discards;
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
    boolean loses(long tag) {
        if (codewordLoss > 0) {
            int bytes = LinkFrame.is(tag) ? FRAME_BYTES : Tag.wireBytes(tag);
            if (random.nextDouble() < Kp4.packetLoss(codewordLoss, bytes)) {
                return true;
            }
        }
        return loss > 0 && random.nextDouble() < loss;
    }

    void lost() {
        lost++;
    }

    /// Packets that were lost on the cable, without frames between neighbours.
    long lostPackets() {
        return lost;
    }

    /// A packet or frame is sent, and there is no cable.
    void gone(long tag) {
        if (!LinkFrame.is(tag)) {
            gonePackets[Tag.lane(tag)]++;
            goneBytes[Tag.lane(tag)] += Tag.wireBytes(tag);
        }
    }

    /// Packets that were sent while there was no cable.
    long gonePackets() {
        return Arrays.stream(gonePackets).sum();
    }

    /// Packets of a lane that were sent while there was no cable.
    long gonePackets(int lane) {
        return gonePackets[lane];
    }

    /// Link bytes of these.
    long goneBytes(int lane) {
        return goneBytes[lane];
    }

    /// How often it was unplugged.
    long downs() {
        return downs;
    }
}
