package dev.verbena.fabric;

import java.util.Arrays;

/// The buffer of an Ethernet switch: the bytes of each priority of each port, the neighbours that
/// are paused, and the packets that are dropped.
///
/// A packet counts for its input port, from the arrival of its last bit until its last bit has
/// left.
final class SharedBuffer {
    /// Sends pause frames to a neighbour.
    interface Pauser {
        void pause(int port, int priority, boolean isXoff, long nowPs);
    }

    private static final int PRIORITIES = EthernetPort.PRIORITIES;

    private final BufferSettings settings;
    private final Pauser pauser;

    /// By port and priority, side by side: bytes used; and of those that are paused, above which a
    /// packet is dropped, else 0.
    private final int[] state;

    private long usedInAll;
    private final long[] drops;
    private int highest;

    SharedBuffer(BufferSettings settings, int ports, Pauser pauser) {
        this.settings = settings;
        this.pauser = pauser;
        state = new int[2 * ports * PRIORITIES];
        drops = new long[ports * PRIORITIES];
    }

    private static int at(int port, int priority) {
        return 2 * (port * PRIORITIES + priority);
    }

    /// Admits a packet that arrived at a port; returns whether there is room for it.
    boolean admit(int port, int priority, int bytes, long nowPs) {
        int at = at(port, priority);
        int after = state[at] + bytes;
        if (settings.isLossless(priority)) {
            if (state[at + 1] == 0) {
                int threshold = threshold();
                if (after > threshold) {
                    state[at + 1] =
                            Math.max(threshold, state[at]) + Math.max(1, settings.headroomBytes());
                    pauser.pause(port, priority, true, nowPs);
                }
            }
            if (state[at + 1] != 0 && after > state[at + 1]) {
                dropped(port, priority);
                return false;
            }
        }
        if (usedInAll + bytes > settings.totalBytes()) {
            dropped(port, priority);
            return false;
        }
        state[at] = after;
        usedInAll += bytes;
        highest = Math.max(highest, after);
        return true;
    }

    /// A packet that was admitted has left.
    void release(int port, int priority, int bytes, long nowPs) {
        int at = at(port, priority);
        state[at] -= bytes;
        usedInAll -= bytes;
        if (state[at + 1] != 0 && state[at] < resumeBelow()) {
            state[at + 1] = 0;
            pauser.pause(port, priority, false, nowPs);
        }
    }

    /// Whether a queue of a priority that may lose packets is as long as it may be.
    boolean isTooLong(int priority, int queueBytes) {
        return !settings.isLossless(priority) && queueBytes > dynamic();
    }

    void dropped(int port, int priority) {
        drops[port * PRIORITIES + priority]++;
    }

    private int threshold() {
        return settings.xoffBytes() > 0 ? settings.xoffBytes() : dynamic();
    }

    private int resumeBelow() {
        if (settings.xoffBytes() > 0) {
            return settings.xonBytes();
        }
        return Math.max(1, dynamic() - settings.xonBytes());
    }

    private int dynamic() {
        double free = Math.max(0, settings.totalBytes() - usedInAll);
        return (int) Math.min(BufferSettings.UNLIMITED, settings.alpha() * free);
    }

    long usedInAll() {
        return usedInAll;
    }

    /// The largest number of bytes of one priority of one port.
    int highest() {
        return highest;
    }

    long drops() {
        return Arrays.stream(drops).sum();
    }

    /// Dropped packets that arrived at a port.
    long drops(int port, int priority) {
        return drops[port * PRIORITIES + priority];
    }
}
