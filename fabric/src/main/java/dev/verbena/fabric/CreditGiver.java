package dev.verbena.fabric;

import java.util.Arrays;

/// The receiving half of an InfiniBand port: the free room of each virtual lane, and the credits
/// sent to the neighbour.
final class CreditGiver {
    private final OutPort port;
    private final int capacity;
    private final int updateBlocks;
    private final int[] received;
    private final int[] free;
    private final int[] told;
    private long updates;
    private int leastFree;

    CreditGiver(OutPort port, FabricKind.InfiniBand kind) {
        this.port = port;
        capacity = kind.bufferBlocks();
        updateBlocks = Math.min(kind.updateBlocks(), Math.max(1, capacity / 2));
        received = new int[InfiniBandPort.LANES];
        free = new int[InfiniBandPort.LANES];
        told = new int[InfiniBandPort.LANES];
        Arrays.fill(free, capacity);
        Arrays.fill(told, CreditCount.limit(0, capacity));
        leastFree = capacity;
    }

    /// The credits of the neighbour when the link comes up.
    int firstLimit() {
        return CreditCount.limit(0, capacity);
    }

    /// Takes a packet in; returns whether there is room, as there is unless the neighbour sent
    /// without credit.
    boolean accept(int lane, int blocks) {
        if (free[lane] < blocks) {
            return false;
        }
        received[lane] = (received[lane] + blocks) & CreditCount.MASK;
        free[lane] -= blocks;
        leastFree = Math.min(leastFree, free[lane]);
        return true;
    }

    /// A packet has left the buffer.
    void release(int lane, int blocks, long nowPs) {
        free[lane] += blocks;
        int limit = CreditCount.limit(received[lane], free[lane]);
        if (((limit - told[lane]) & CreditCount.MASK) >= updateBlocks) {
            told[lane] = limit;
            updates++;
            port.offerFrame(LinkFrame.of(lane, limit), nowPs);
        }
    }

    /// The largest number of bytes that any lane ever held.
    int mostUsedBytes() {
        return (capacity - leastFree) * CreditCount.BLOCK;
    }

    /// Number of flow control packets sent.
    long updates() {
        return updates;
    }
}
