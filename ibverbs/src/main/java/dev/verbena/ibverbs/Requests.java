package dev.verbena.ibverbs;

import org.jspecify.annotations.Nullable;

/// Posted requests of one queue: the identifier of each, and the memory that it holds.
///
/// The device knows a request by a number of 64 bits: the [#token] of its queue, and its place
/// there. So a completion leads to the request without a search, and one of a queue that was closed
/// or reset since leads nowhere.
abstract class Requests {
    private static final int PLACE_BITS = 22;
    static final int PLACE_MASK = (1 << PLACE_BITS) - 1;

    /// As deep as a queue can be.
    static final int MOST = 1 << PLACE_BITS;

    static final int TOKEN_BITS = 41;

    /// The bit of a number that means: the program does not want a completion for success.
    private static final long SILENT = 1L << (PLACE_BITS + TOKEN_BITS);

    private final int pieces;
    final int mask;
    private final long[] ids;
    private final @Nullable IbvRegion[] regions;

    /// Other objects that a request needs: an address handle, or the window that it binds. Few
    /// queues have any.
    private @Nullable Object @Nullable [] companions;

    private long token;

    /// @param depth how many there may be
    /// @param pieces of memory that each may name
    Requests(int depth, int pieces) {
        assert depth <= MOST : "the device's limits are as low";
        int size = Math.max(1, Integer.highestOneBit(Math.max(1, depth * 2 - 1)));
        this.mask = size - 1;
        this.pieces = pieces;
        this.ids = new long[size];
        this.regions = new @Nullable IbvRegion[size * pieces];
    }

    /// How many more it would take now.
    abstract int room();

    /// The place of the request that is the `index`-th of a batch; negative when there is no room.
    abstract int stage(int index);

    /// Commits the first `count` staged requests, and drops the others.
    abstract void commit(int count);

    /// Takes back those from the `from`-th on of the `count` that were handed over last: the device
    /// did not take them.
    abstract void takeBack(int from, int count);

    /// A request at a place is done, and with it whatever must be done before it.
    abstract void retire(int place);

    /// Forgets all of them.
    abstract void reset();

    /// Whether a request names the region.
    abstract boolean holds(IbvRegion region);

    final long token() {
        return token;
    }

    final void token(long value) {
        token = value;
    }

    /// The number that the device gets for the request at a place.
    final long number(int place) {
        return (token << PLACE_BITS) | (place & PLACE_MASK);
    }

    /// The number that the device gets for the request whose number is at an address: the queue may
    /// have been reset since it was begun.
    final long renumbered(long address) {
        return number(placeOf(Memory.getLong(address)));
    }

    static long tokenOf(long number) {
        return (number & ~SILENT) >>> PLACE_BITS;
    }

    static int placeOf(long number) {
        return (int) number & PLACE_MASK;
    }

    /// The same request, whose success concerns only us.
    static long silent(long number) {
        return number | SILENT;
    }

    static boolean isSilent(long number) {
        return (number & SILENT) != 0;
    }

    final void begin(int place) {
        ids[place & mask] = 0;
        int first = (place & mask) * pieces;
        for (int i = first; i < first + pieces; i++) {
            regions[i] = null;
        }
        if (companions != null) {
            companions[place & mask] = null;
        }
    }

    final void accompany(int place, Object companion) {
        if (companions == null) {
            companions = new @Nullable Object[ids.length];
        }
        companions[place & mask] = companion;
    }

    final @Nullable Object companion(int place) {
        return companions == null ? null : companions[place & mask];
    }

    final void name(int place, long id) {
        ids[place & mask] = id;
    }

    final long id(int place) {
        return ids[place & mask];
    }

    final void hold(int place, int piece, IbvRegion region) {
        regions[(place & mask) * pieces + piece] = region;
        region.usedBy(this);
    }

    final boolean holds(int place, IbvRegion region) {
        int first = (place & mask) * pieces;
        for (int i = first; i < first + pieces; i++) {
            if (regions[i] == region) {
                return true;
            }
        }
        return false;
    }
}
