package dev.verbena.fabric;

import java.util.Arrays;

/// The receiving half of an InfiniBand port: the free room of each virtual lane, and the credits
/// sent to the neighbour.
final class CreditGiver {
    private final OutPort port;
    private final int capacity;
    private final int updateBlocks;
    private final int largestBlocks;
    private final int[] received;
    private final int[] free;
    private final int[] told;
    private long updates;
    private int leastFree;

    /// @param largestBlocks blocks of the largest packet
    CreditGiver(OutPort port, FabricKind.InfiniBand kind, int largestBlocks) {
        this.port = port;
        this.largestBlocks = largestBlocks;
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
        assert free[lane] <= capacity : "a packet leaves the buffer once";
        int limit = CreditCount.limit(received[lane], free[lane]);
        int news = (limit - told[lane]) & CreditCount.MASK;
        // A neighbour that may have too few for its next packet waits for every block.
        if (news >= updateBlocks || (news > 0 && toldLeft(lane) < largestBlocks)) {
            told[lane] = limit;
            updates++;
            port.offerFrame(LinkFrame.of(lane, limit), nowPs);
        }
    }

    /// Blocks that the neighbour may still send, as far as it knows, once all that it has sent is
    /// here.
    private int toldLeft(int lane) {
        return (told[lane] - received[lane]) & CreditCount.MASK;
    }

    /// Blocks that have arrived in a lane.
    int received(int lane) {
        return received[lane];
    }

    /// The credit limit of a lane as it is now, for a neighbour that begins anew.
    int retell(int lane) {
        told[lane] = CreditCount.limit(received[lane], free[lane]);
        return told[lane];
    }

    /// The credit limit that the neighbour was last told.
    int told(int lane) {
        return told[lane];
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
