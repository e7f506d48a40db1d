package dev.verbena.fabric;

/// A NIC that takes packets out of its receive buffer at a part of the rate of its cable, as one
/// does that misses in its tables of pages: on Ethernet it pauses its switch when the buffer fills,
/// on InfiniBand its credits come back late.
///
/// Its receive buffer is large enough that no packet is dropped while a pause takes effect.
final class SlowReceiver extends PacketLine {
    /// A buffer of a NIC, assumed.
    private static final int XOFF_BYTES = 256 << 10;

    private static final int XON_BYTES = XOFF_BYTES / 2;

    private final Nic nic;
    private double share = 1;
    private long freePs;

    /// By lane, bytes in the buffer; and a bit for each lane that is paused.
    private final int[] held = new int[InfiniBandPort.LANES];

    private int paused;

    SlowReceiver(Nic nic, Clock clock, PacketPool pool, int order) {
        super(clock, pool, order);
        this.nic = nic;
    }

    /// @param value part of the rate that is left; 1 for all of it
    void share(double value) {
        share = value;
    }

    void arrive(int handle, long tag, long nowPs) {
        int lane = Tag.lane(tag);
        int bytes = Tag.wireBytes(tag);
        held[lane] += bytes;
        freePs = Math.max(freePs, nowPs) + (long) (nic.port().ps(bytes) / share);
        append(handle, tag, freePs);
        if (nic.port() instanceof InfiniBandPort port) {
            port.giver().accept(lane, CreditCount.blocks(bytes));
        } else if (held[lane] > XOFF_BYTES && (paused & (1 << lane)) == 0) {
            paused |= 1 << lane;
            nic.pauser().pause(lane, true, nowPs);
        }
    }

    @Override
    void passed(int handle, long tag, long nowPs) {
        int lane = Tag.lane(tag);
        int bytes = Tag.wireBytes(tag);
        held[lane] -= bytes;
        if (nic.port() instanceof InfiniBandPort port) {
            port.giver().release(lane, CreditCount.blocks(bytes), nowPs);
        } else if (held[lane] <= XON_BYTES && (paused & (1 << lane)) != 0) {
            paused &= ~(1 << lane);
            nic.pauser().pause(lane, false, nowPs);
        }
        nic.arrived(handle, tag, nowPs);
    }
}
