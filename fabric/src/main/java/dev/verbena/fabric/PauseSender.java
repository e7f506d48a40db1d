package dev.verbena.fabric;

import java.util.Arrays;

/// Sends pause frames to the neighbour of one port, and renews them before they expire.
final class PauseSender extends Alarm {
    /// The longest pause that a frame can request.
    private static final int QUANTA = 0xFFFF;

    private final OutPort port;
    private final long renewPs;
    private int stopped;
    private final long[] sent = new long[EthernetPort.PRIORITIES];

    PauseSender(Clock clock, int order, OutPort port) {
        super(clock, order);
        this.port = port;
        renewPs = port.ps(EthernetPort.QUANTUM_BYTES) * (QUANTA / 2);
    }

    void pause(int priority, boolean isXoff, long nowPs) {
        int bit = 1 << priority;
        stopped = isXoff ? stopped | bit : stopped & ~bit;
        send(priority, isXoff ? QUANTA : 0, nowPs);
        if (stopped == 0) {
            cancel();
        } else if (!isSet()) {
            set(nowPs + renewPs);
        }
    }

    boolean isPausing(int priority) {
        return (stopped & (1 << priority)) != 0;
    }

    private void send(int priority, int quanta, long nowPs) {
        sent[priority]++;
        port.offerFrame(LinkFrame.of(priority, quanta), nowPs);
    }

    @Override
    void ring(long nowPs) {
        set(nowPs + renewPs);
        repeat(nowPs);
    }

    /// Sends the pauses that are in force.
    void repeat(long nowPs) {
        for (int left = stopped; left != 0; left &= left - 1) {
            send(Integer.numberOfTrailingZeros(left), QUANTA, nowPs);
        }
    }

    long sent() {
        return Arrays.stream(sent).sum();
    }

    long sent(int priority) {
        return sent[priority];
    }
}
