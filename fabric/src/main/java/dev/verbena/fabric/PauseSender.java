package dev.verbena.fabric;

/// Tells the neighbour of one port which priorities to stop, and again before he would forget it.
final class PauseSender extends Event {
    /// The longest pause that a frame can ask for.
    private static final int QUANTA = 0xFFFF;

    private static final int QUANTUM_BYTES = 512 / Byte.SIZE;

    private final Clock clock;
    private final PacketPool pool;
    private final OutPort port;
    private final int frameBytes;
    private final long renewPs;
    private int stopped;
    private long sent;

    PauseSender(Clock clock, PacketPool pool, int order, OutPort port, int frameBytes) {
        super(order);
        this.clock = clock;
        this.pool = pool;
        this.port = port;
        this.frameBytes = frameBytes;
        renewPs = port.ps(QUANTUM_BYTES) * (QUANTA / 2);
    }

    void pause(int priority, boolean isXoff, long nowPs) {
        int bit = 1 << priority;
        stopped = isXoff ? stopped | bit : stopped & ~bit;
        send(priority, isXoff ? QUANTA : 0, nowPs);
        if (stopped == 0) {
            clock.cancel(this);
        } else if (!isPending()) {
            clock.at(this, nowPs + renewPs);
        }
    }

    private void send(int priority, int quanta, long nowPs) {
        Packet frame = pool.take();
        frame.kind = Packet.Kind.PAUSE;
        frame.lane = priority;
        frame.value = quanta;
        frame.wireBytes = frameBytes;
        sent++;
        port.offerControl(frame, nowPs);
    }

    @Override
    void happen(long nowPs) {
        clock.at(this, nowPs + renewPs);
        for (int left = stopped; left != 0; left &= left - 1) {
            send(Integer.numberOfTrailingZeros(left), QUANTA, nowPs);
        }
    }

    long sent() {
        return sent;
    }
}
