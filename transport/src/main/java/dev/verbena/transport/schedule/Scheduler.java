package dev.verbena.transport.schedule;

import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.TransmitSink;
import org.jspecify.annotations.Nullable;

/// Whose turn it is: queue pairs with something to send, in a ring for each traffic class.
///
/// Each sends up to a burst and goes to the end of its ring. Classes take turns as well, one packet
/// or burst each; which class should go first is the carrier's business, by its mask.
@SuppressWarnings("ReferenceEquality") // each stands for itself
public final class Scheduler {
    private static final int CLASSES = 16;

    private final int burstBytes;
    private final Driver driver;
    private final @Nullable Transmitter[] heads = new Transmitter[CLASSES];
    private final @Nullable Transmitter[] tails = new Transmitter[CLASSES];
    private int waiting;
    private int lastClass;

    public Scheduler(int burstBytes, Driver driver) {
        this.burstBytes = burstBytes;
        this.driver = driver;
    }

    /// Puts a queue pair that may have something to send at the end of its class's ring.
    public void activate(Transmitter pair) {
        if (!pair.isActive) {
            pair.isActive = true;
            append(pair);
        }
    }

    /// Takes it out, wherever it stands.
    public void remove(Transmitter pair) {
        if (!pair.isActive) {
            return;
        }
        pair.isActive = false;
        int lane = pair.lane;
        Transmitter before = null;
        Transmitter here = heads[lane];
        while (here != pair && here != null) {
            before = here;
            here = here.nextActive;
        }
        if (before == null) {
            heads[lane] = pair.nextActive;
        } else {
            before.nextActive = pair.nextActive;
        }
        if (tails[lane] == pair) {
            tails[lane] = before;
        }
        pair.nextActive = null;
        if (heads[lane] == null) {
            waiting &= ~(1 << lane);
        }
    }

    public boolean isIdle() {
        return waiting == 0;
    }

    /// Wakes the carrier when there is something to send, after a call of the program.
    public void wakeCarrier() {
        if (!isIdle()) {
            driver.wake();
        }
    }

    /// A bit for each class whose ring is not empty.
    public int waiting() {
        return waiting;
    }

    /// Yields packets of the classes in the mask until there are none, or so many, or the next one
    /// does not fit the budget; returns how many.
    public int transmit(
            long nowNs, int classMask, int budgetBytes, int packetsMax, TransmitSink sink) {
        int left = budgetBytes;
        int packets = 0;
        int lanes = waiting & classMask;
        while (lanes != 0) {
            int lane = following(lanes);
            Transmitter pair = takeFirst(lane);
            int burst = burstBytes;
            int sent;
            boolean mayGoOn;
            do {
                sent = pair.transmit(nowNs, left, sink);
                if (sent > 0) {
                    left -= sent;
                    burst -= sent;
                    packets++;
                }
                // A datagram may be of another class than the one before it.
                mayGoOn = sent > 0 && pair.mayHaveMore() && pair.lane == lane;
            } while (mayGoOn && burst > 0 && packets < packetsMax);
            if (sent == Transmitter.TOO_LARGE) {
                putFirst(pair);
                return packets;
            }
            lastClass = lane;
            if (sent > 0 && pair.mayHaveMore()) {
                activate(pair);
            }
            lanes = packets < packetsMax ? waiting & classMask : 0;
        }
        return packets;
    }

    private int following(int lanes) {
        int later = lanes & (-2 << lastClass);
        return Integer.numberOfTrailingZeros(later != 0 ? later : lanes);
    }

    private Transmitter takeFirst(int lane) {
        Transmitter pair = heads[lane];
        if (pair == null) {
            throw new AssertionError("a waiting class has a queue pair");
        }
        heads[lane] = pair.nextActive;
        if (heads[lane] == null) {
            tails[lane] = null;
            waiting &= ~(1 << lane);
        }
        pair.nextActive = null;
        pair.isActive = false;
        return pair;
    }

    private void putFirst(Transmitter pair) {
        if (pair.isActive) {
            return;
        }
        pair.isActive = true;
        int lane = pair.lane;
        pair.nextActive = heads[lane];
        heads[lane] = pair;
        if (tails[lane] == null) {
            tails[lane] = pair;
        }
        waiting |= 1 << lane;
    }

    private void append(Transmitter pair) {
        int lane = pair.lane;
        pair.nextActive = null;
        Transmitter last = tails[lane];
        if (last == null) {
            heads[lane] = pair;
        } else {
            last.nextActive = pair;
        }
        tails[lane] = pair;
        waiting |= 1 << lane;
    }
}
