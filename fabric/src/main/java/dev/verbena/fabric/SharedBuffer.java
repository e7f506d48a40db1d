package dev.verbena.fabric;

import java.util.Arrays;

/// The buffer of an Ethernet switch: the bytes of each priority of each port, the neighbours that
/// are paused, and the packets that are dropped.
///
/// A packet counts for its input port, from the arrival of its last bit until its last bit has
/// left. That of a lossless priority goes to the shared part up to a threshold; above it the
/// neighbour is paused, and what still comes has the headroom of its port and priority.
final class SharedBuffer {
    /// Sends pause frames to a neighbour.
    interface Pauser {
        void pause(int port, int priority, boolean isXoff, long nowPs);
    }

    private static final int PRIORITIES = EthernetPort.PRIORITIES;
    private static final int NOT_PAUSED = -1;

    private final BufferSettings settings;
    private final Pauser pauser;

    /// By port and priority, side by side: bytes in the shared part, and bytes in the headroom, or
    /// [#NOT_PAUSED].
    private final int[] state;

    /// By port, the headroom of each of its lossless priorities.
    private final int[] headroom;

    private long sharedBytes;
    private long usedShared;
    private long usedInAll;
    private final long[] drops;
    private int highest;

    SharedBuffer(BufferSettings settings, int ports, Pauser pauser) {
        this.settings = settings;
        this.pauser = pauser;
        state = new int[2 * ports * PRIORITIES];
        for (int i = 1; i < state.length; i += 2) {
            state[i] = NOT_PAUSED;
        }
        headroom = new int[ports];
        sharedBytes = settings.totalBytes();
        drops = new long[ports * PRIORITIES];
    }

    /// Takes the headroom of a port out of the shared part.
    void reserve(int port, int bytes) {
        headroom[port] = bytes;
        sharedBytes -= (long) bytes * settings.losslessPriorities();
    }

    /// Bytes that ports share; less than 0 when the headroom is larger than the buffer.
    long sharedBytes() {
        return sharedBytes;
    }

    private static int at(int port, int priority) {
        return 2 * (port * PRIORITIES + priority);
    }

    /// Admits a packet that arrived at a port; returns whether there is room for it.
    boolean admit(int port, int priority, int bytes, long nowPs) {
        int at = at(port, priority);
        if (state[at + 1] == NOT_PAUSED) {
            boolean isLossless = settings.isLossless(priority);
            boolean isRoom = usedShared + bytes <= sharedBytes;
            if (isRoom && (!isLossless || state[at] + bytes <= threshold())) {
                state[at] += bytes;
                usedShared += bytes;
                return admitted(at, bytes);
            }
            if (!isLossless) {
                dropped(port, priority);
                return false;
            }
            state[at + 1] = 0;
            pauser.pause(port, priority, true, nowPs);
        }
        if (state[at + 1] + bytes > headroom[port]) {
            dropped(port, priority);
            return false;
        }
        state[at + 1] += bytes;
        return admitted(at, bytes);
    }

    private boolean admitted(int at, int bytes) {
        usedInAll += bytes;
        highest = Math.max(highest, state[at] + Math.max(0, state[at + 1]));
        return true;
    }

    /// A packet that was admitted has left: the headroom becomes free first, for the next pause.
    void release(int port, int priority, int bytes, long nowPs) {
        int at = at(port, priority);
        usedInAll -= bytes;
        int ofHeadroom = Math.clamp(state[at + 1], 0, bytes);
        int ofShared = bytes - ofHeadroom;
        state[at] -= ofShared;
        usedShared -= ofShared;
        if (state[at + 1] != NOT_PAUSED) {
            state[at + 1] -= ofHeadroom;
            if (state[at + 1] == 0 && state[at] < resumeBelow()) {
                state[at + 1] = NOT_PAUSED;
                pauser.pause(port, priority, false, nowPs);
            }
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
        double free = Math.max(0, sharedBytes - usedShared);
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
