package dev.verbena.fabric;

/// Packets in a row, each with its time; as an event, the time of the first.
///
/// A packet's words are read when it becomes the first, and its time when it joins: the row does
/// not wait for memory when the time has come.
abstract class PacketLine extends Event {
    final Clock clock;
    final PacketPool pool;
    private int first = PacketPool.NONE;
    private int last = PacketPool.NONE;
    private long firstTag;

    PacketLine(Clock clock, PacketPool pool, int order) {
        super(order);
        this.clock = clock;
        this.pool = pool;
        clock.add(this);
    }

    /// Puts a packet at the end, whose time is no earlier than that of those before it.
    final void append(int handle, long tag, long timePs) {
        pool.set(handle, tag, EventQueue.NEVER);
        if (first == PacketPool.NONE) {
            first = handle;
            firstTag = tag;
            clock.at(this, timePs);
        } else {
            pool.follow(last, handle, timePs);
        }
        last = handle;
    }

    @Override
    final void happen(long nowPs) {
        int handle = first;
        long tag = firstTag;
        int following = pool.following(handle);
        first = following;
        if (following != PacketPool.NONE) {
            firstTag = pool.tag(following);
            clock.at(this, pool.timePs(handle));
        }
        passed(handle, tag, nowPs);
    }

    /// The time of a packet has come.
    abstract void passed(int handle, long tag, long nowPs);
}
