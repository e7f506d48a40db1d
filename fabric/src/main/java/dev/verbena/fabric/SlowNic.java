package dev.verbena.fabric;

/// The time that an adapter takes of its own: one that takes none has no use for it.
final class SlowNic {
    private final Nic nic;
    private final NicProfile profile;
    private final Arrivals arrivals;
    private final Posts posts;
    private final Pace pace;

    /// When the next packet may begin.
    private long mayPs;

    SlowNic(Nic nic, NicProfile profile, Clock clock, PacketPool pool, int globalPort) {
        this.nic = nic;
        this.profile = profile;
        arrivals = new Arrivals(clock, pool, Orders.nicArrival(globalPort));
        posts = new Posts(clock, Orders.nicPost(globalPort));
        pace = new Pace(clock, Orders.nicPace(globalPort));
    }

    /// Keeps a packet until the adapter has looked at it.
    void arrive(int handle, long tag, long nowPs) {
        arrivals.append(handle, tag, nowPs + profile.receivePs());
    }

    /// A program has posted something.
    void posted(long nowPs) {
        if (!posts.isSet()) {
            posts.set(nowPs + profile.sendPs());
        }
    }

    /// Whether a packet may begin now; looks again when one may.
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

    private final class Posts extends Alarm {
        Posts(Clock clock, int order) {
            super(clock, order);
        }

        @Override
        void ring(long nowPs) {
            nic.serve(nowPs);
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
