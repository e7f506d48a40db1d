package dev.verbena.fabric;

import java.util.Arrays;

/// Sends pause frames to the neighbour of one port, and renews them before they expire.
final class PauseSender extends Alarm {
    /// The longest pause that a frame can request.
    private static final int QUANTA = 0xFFFF;

    private final OutPort port;
    private final long renewPs;

    /// A bit for each priority that a buffer has stopped, and for each that a storm has.
    private int stopped;

    private int storming;
    private final long[] sent = new long[EthernetPort.PRIORITIES];

    PauseSender(Clock clock, int order, OutPort port) {
        super(clock, order);
        this.port = port;
        renewPs = port.ps(EthernetPort.QUANTUM_BYTES) * (QUANTA / 2);
    }

    /// A buffer is full, or has room again.
    void pause(int priority, boolean isXoff, long nowPs) {
        stopped = with(stopped, priority, isXoff);
        tell(priority, isXoff, nowPs);
    }

    /// A storm begins or ends, whatever the buffer says.
    void storm(int priority, boolean begins, long nowPs) {
        storming = with(storming, priority, begins);
        tell(priority, begins, nowPs);
    }

    private static int with(int bits, int priority, boolean isSet) {
        return isSet ? bits | 1 << priority : bits & ~(1 << priority);
    }

    private void tell(int priority, boolean isXoff, long nowPs) {
        if (!isXoff && isPausing(priority)) {
            // The other one still has it paused.
            return;
        }
        send(priority, isXoff ? QUANTA : 0, nowPs);
        if ((stopped | storming) == 0) {
            cancel();
        } else if (!isSet()) {
            set(nowPs + renewPs);
        }
    }

    boolean isPausing(int priority) {
        return ((stopped | storming) & (1 << priority)) != 0;
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
        for (int left = stopped | storming; left != 0; left &= left - 1) {
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
