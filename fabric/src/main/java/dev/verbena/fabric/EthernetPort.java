package dev.verbena.fabric;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The sending half of an Ethernet port: paused priorities wait (IEEE 802.1Qbb).
sealed class EthernetPort extends OutPort permits RoundRobinPort {
    static final int PRIORITIES = 8;

    /// Bytes sent in the time of one pause quantum: 512 bits.
    static final int QUANTUM_BYTES = 512 / Byte.SIZE;

    private final long[] pausedUntilPs = new long[PRIORITIES];
    private final long[] pausedSincePs = new long[PRIORITIES];
    private final long[] pausedPs = new long[PRIORITIES];
    private final long[] heard = new long[PRIORITIES];
    private final long[] resumed = new long[PRIORITIES];
    private final Expiry expiry;
    private int paused;

    /// Priorities that are served whatever the neighbour says, and those whose packets are thrown
    /// away: see [PfcWatchdog].
    private int ignored;

    private int discarded;
    private long anySincePs;
    private long anyPs;

    /// Of a switch that marks.
    private @Nullable Marker marker;

    EthernetPort(Fabric fabric, FabricKind.Ethernet kind, PortPlace place) {
        super(fabric, place, PRIORITIES, new EtsArbiter(kind.ets()));
        expiry = new Expiry(place.order() + 1);
    }

    void markBy(Marker decides) {
        marker = decides;
    }

    @Override
    int allowed(int lanesWaiting) {
        return lanesWaiting & ~paused;
    }

    @Override
    boolean isHeld(int lane) {
        OutPort far = neighbour();
        return (paused & (1 << lane)) != 0
                && far.owner instanceof EthernetSwitch node
                && node.isPausing(far.number, lane);
    }

    @Override
    void leaving(int handle, int lane, int wireBytes) {
        if (marker != null) {
            marker.look(handle, waitingBytes(lane) + wireBytes);
        }
    }

    @Override
    void heard(long frame, long nowPs) {
        pause(LinkFrame.lane(frame), LinkFrame.value(frame), nowPs);
    }

    @Override
    void taken(long tag, long nowPs) {}

    @Override
    boolean mayLose(long tag) {
        return true;
    }

    /// A pause belongs to a cable that is there.
    @Override
    void unplugged(long nowPs) {
        if (paused != 0) {
            resume(paused, nowPs);
        }
        super.unplugged(nowPs);
    }

    @Override
    void plugged(long nowPs) {
        if (owner instanceof EthernetSwitch node) {
            node.repeatPauses(number, nowPs);
        }
        super.plugged(nowPs);
    }

    @Override
    int classes() {
        return ~paused;
    }

    @Override
    int laneOf(int level) {
        return level & (PRIORITIES - 1);
    }

    /// A bit for each priority that may not send.
    int paused() {
        return paused;
    }

    /// Obeys a frame of the neighbour; 0 quanta end a pause.
    void pause(int priority, int quanta, long nowPs) {
        int bit = 1 << priority;
        heard[priority]++;
        if ((ignored & bit) != 0) {
            return;
        }
        if (quanta == 0) {
            if ((paused & bit) != 0) {
                resume(bit, nowPs);
                wake(nowPs);
            }
            return;
        }
        if (paused == 0) {
            anySincePs = nowPs;
        }
        if ((paused & bit) == 0) {
            pausedSincePs[priority] = nowPs;
        }
        paused |= bit;
        pausedUntilPs[priority] = nowPs + quanta * ps(QUANTUM_BYTES);
        expiry.set(soonest());
    }

    /// Serves a priority whatever the neighbour says, or no longer so.
    ///
    /// @param drops whether its packets are thrown away
    void ignorePauses(int priority, boolean isOn, boolean drops, long nowPs) {
        int bit = 1 << priority;
        ignored = isOn ? ignored | bit : ignored & ~bit;
        discarded = isOn && drops ? discarded | bit : discarded & ~bit;
        if (drops) {
            link().faulty(Long.hashCode(nowPs) + number).discard(discarded);
        }
        if (isOn && (paused & bit) != 0) {
            resume(bit, nowPs);
            wake(nowPs);
        }
    }

    /// Packets that were thrown away.
    long discards() {
        LinkFault fault = link().fault();
        return fault == null ? 0 : fault.discards();
    }

    /// How often a pause of a priority has ended.
    long resumed(int priority) {
        return resumed[priority];
    }

    private void resume(int bits, long nowPs) {
        for (int left = paused & bits; left != 0; left &= left - 1) {
            int priority = Integer.numberOfTrailingZeros(left);
            pausedPs[priority] += nowPs - pausedSincePs[priority];
            resumed[priority]++;
        }
        paused &= ~bits;
        if (paused == 0) {
            anyPs += nowPs - anySincePs;
            expiry.cancel();
        } else {
            expiry.set(soonest());
        }
    }

    private long soonest() {
        long soonestPs = Long.MAX_VALUE;
        for (int i = 0; i < PRIORITIES; i++) {
            if ((paused & (1 << i)) != 0) {
                soonestPs = Math.min(soonestPs, pausedUntilPs[i]);
            }
        }
        return soonestPs;
    }

    /// Time in which at least one priority was paused.
    long pausedPs(long nowPs) {
        return anyPs + (paused == 0 ? 0 : nowPs - anySincePs);
    }

    /// Time in which a priority was paused.
    long pausedPs(int priority, long nowPs) {
        boolean isPaused = (paused & (1 << priority)) != 0;
        return pausedPs[priority] + (isPaused ? nowPs - pausedSincePs[priority] : 0);
    }

    /// Pause frames of the neighbour for a priority, and those that ended a pause.
    long heard(int priority) {
        return heard[priority];
    }

    /// A pause that was not renewed is over.
    private final class Expiry extends Alarm {
        Expiry(int order) {
            super(EthernetPort.this.clock, order);
        }

        @Override
        void ring(long nowPs) {
            int over = 0;
            for (int i = 0; i < PRIORITIES; i++) {
                if ((paused & (1 << i)) != 0 && pausedUntilPs[i] <= nowPs) {
                    over |= 1 << i;
                }
            }
            resume(over, nowPs);
            wake(nowPs);
        }
    }

    @Override
    public String toString() {
        return "port " + number + ", paused " + Arrays.toString(pausedUntilPs);
    }
}
