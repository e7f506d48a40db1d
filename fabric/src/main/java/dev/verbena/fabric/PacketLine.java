package dev.verbena.fabric;

/// Packets in a row, each with its time; as an event, the time of the first.
abstract class PacketLine extends Event {
    final Clock clock;
    final PacketPool pool;
    private int first = PacketPool.NONE;
    private int last = PacketPool.NONE;

    PacketLine(Clock clock, PacketPool pool, int order) {
        super(order);
        this.clock = clock;
        this.pool = pool;
        clock.add(this);
    }

    /// Puts a packet at the end, whose time is no earlier than that of those before it.
    final void append(int handle, long tag, long timePs) {
        pool.set(handle, tag, timePs);
        if (first == PacketPool.NONE) {
            first = handle;
            clock.at(this, timePs);
        } else {
            pool.follow(last, handle);
        }
        last = handle;
    }

    @Override
    final void happen(long nowPs) {
        int handle = first;
        long tag = pool.tag(handle);
        int following = pool.following(handle);
        first = following;
        if (following != PacketPool.NONE) {
            clock.at(this, pool.timePs(following));
        }
        passed(handle, tag, nowPs);
    }

    /// The time of a packet has come.
    abstract void passed(int handle, long tag, long nowPs);
}
