package dev.verbena.fabric;

/// The delays of a NIC; a NIC without delays has none of these.
final class SlowNic {
    private final Nic nic;
    private final NicProfile profile;
    private final Arrivals arrivals;
    private final Pace pace;

    /// Time at which the next packet may start.
    private long mayPs;

    SlowNic(Nic nic, NicProfile profile, Clock clock, PacketPool pool, int globalPort) {
        this.nic = nic;
        this.profile = profile;
        arrivals = new Arrivals(clock, pool, Orders.nicArrival(globalPort));
        pace = new Pace(clock, Orders.nicPace(globalPort));
    }

    /// Holds a received packet for the receive delay.
    void arrive(int handle, long tag, long nowPs) {
        arrivals.append(handle, tag, nowPs + profile.receivePs());
    }

    /// Whether a packet may start now; if not, wakes the port when one may.
    boolean mayBegin(long nowPs) {
        if (nowPs >= mayPs) {
            return true;
        }
        pace.set(mayPs);
        return false;
    }

    void began(long nowPs) {
        mayPs = nowPs + profile.packetGapPs();
    }

    private final class Arrivals extends PacketLine {
        Arrivals(Clock clock, PacketPool pool, int order) {
            super(clock, pool, order);
        }

        @Override
        void passed(int handle, long tag, long nowPs) {
            nic.take(handle, nowPs);
        }
    }

    private final class Pace extends Alarm {
        Pace(Clock clock, int order) {
            super(clock, order);
        }

        @Override
        void ring(long nowPs) {
            nic.port().wake(nowPs);
        }
    }
}
