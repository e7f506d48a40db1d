package dev.verbena.transport.memory;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.common.Counters;
import dev.verbena.transport.common.IntIndex;
import dev.verbena.transport.common.Places;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.WindowType;
import dev.verbena.verbs.spi.LateFrees;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// All regions of a device and the keys that peers reach them by; the one place where remote access
/// is allowed or refused.
///
/// A key is 32 random bits. It is looked up, never taken apart, so that guessing one is a matter of
/// chance alone. It stands for a region, or for a window: a part of one.
public final class MemoryTable {
    /// Added to the number of a window, to distinguish it from a region.
    private static final int WINDOW = 1 << 30;

    /// The limit of regions and of windows; beyond it their numbers would be ambiguous.
    public static final int MOST = WINDOW - 1;

    private final RandomGenerator random;
    private final Counters counters;
    private final IntIndex keys = new IntIndex();
    private final Places places;
    private final int limit;
    private @Nullable TransportRegion[] regions = new TransportRegion[2];
    private @Nullable TransportWindow[] bound = new TransportWindow[0];

    /// Whether a carrier has addresses of memory, and what is to be freed when it has none.
    private boolean isHeld;

    private final List<Arena> held = new ArrayList<>(0);

    public MemoryTable(int limit, RandomGenerator random, Counters counters) {
        this.limit = limit;
        this.random = random;
        this.counters = counters;
        this.places = new Places(limit);
    }

    /// Frees memory that nothing here uses any more; later, when another user remains.
    void free(Arena arena) {
        if (isHeld) {
            held.add(arena);
        } else {
            LateFrees.free(arena);
        }
    }

    /// Keeps all memory until [#letGo].
    public void hold() {
        isHeld = true;
    }

    public void letGo() {
        isHeld = false;
        if (!held.isEmpty()) {
            held.forEach(LateFrees::free);
            held.clear();
        }
    }

    /// A place for one more region.
    public int reserve() {
        int place = places.take();
        if (place == Places.NONE) {
            throw new LimitExceededException(
                    "device",
                    "it holds " + limit + " memory regions already",
                    "close some, or use fewer and larger ones");
        }
        if (place >= regions.length) {
            regions = Arrays.copyOf(regions, Places.grown(regions.length, place));
        }
        return place;
    }

    /// Gives back a place that was not used after all.
    public void giveBack(int index) {
        places.give(index);
    }

    public void add(TransportRegion region) {
        regions[region.index] = region;
        giveKey(region);
    }

    void remove(TransportRegion region) {
        regions[region.index] = null;
        places.give(region.index);
    }

    /// A region that has work in flight, and so is there.
    public TransportRegion region(int index) {
        TransportRegion region = regions[index];
        return Objects.requireNonNull(region, "work in flight holds its regions");
    }

    /// A key that opens nothing yet.
    public int freshKey() {
        int key = random.nextInt();
        while (keys.get(key) != IntIndex.NONE) {
            key = random.nextInt();
        }
        return key;
    }

    void giveKey(TransportRegion region) {
        int key = freshKey();
        keys.put(key, region.index);
        region.key(key);
    }

    void forgetKey(TransportRegion region) {
        if (region.keyInForce()) {
            keys.remove(region.remoteKey());
            region.endKey();
        }
    }

    /// Lets a key stand for a window; false when it was given to another since it was drawn.
    public boolean putWindow(int key, TransportWindow window) {
        if (keys.get(key) != IntIndex.NONE) {
            return false;
        }
        if (window.index >= bound.length) {
            bound = Arrays.copyOf(bound, Places.grown(bound.length, window.index));
        }
        bound[window.index] = window;
        keys.put(key, WINDOW | window.index);
        return true;
    }

    /// Takes the key of a window out of force, if it has one.
    public void endWindow(TransportWindow window) {
        if (window.isBound()) {
            keys.remove(window.boundKey());
            bound[window.index] = null;
            window.unbind();
        }
    }

    /// Closes every region; no work is in flight any more.
    public void closeAll() {
        for (int i = 0; i < places.top(); i++) {
            TransportRegion region = regions[i];
            if (region != null) {
                region.close();
            }
        }
        letGo();
    }

    /// Regions that are there, closed ones with work in flight among them.
    public int size() {
        return places.used();
    }

    /// The region that a peer may use as it asks to, or null (IBA 10.6.3.1 and 9.7.4.1.4): the key
    /// is in force, the domain is the queue pair's, the right was given, the range is inside.
    public @Nullable TransportRegion access(
            int key, KeyUser user, Access right, long address, long length) {
        int index = keys.get(key);
        if (index == IntIndex.NONE) {
            return denied(Counter.DENIED_KEY);
        }
        if ((index & WINDOW) != 0) {
            return throughWindow(bound[index & ~WINDOW], user, right, address, length);
        }
        TransportRegion region = region(index);
        if (!region.isIn(user.domain())) {
            return denied(Counter.DENIED_DOMAIN);
        }
        if ((region.rightBits & right.bit()) == 0) {
            return denied(Counter.DENIED_RIGHT);
        }
        if (!isInside(region, address, length)) {
            return denied(Counter.DENIED_BOUNDS);
        }
        return region;
    }

    /// IBA 10.6.7.2.4: the window's rights count, not the region's.
    private @Nullable TransportRegion throughWindow(
            @Nullable TransportWindow window,
            KeyUser user,
            Access right,
            long address,
            long length) {
        TransportRegion region = window == null ? null : window.region();
        if (window == null || region == null) {
            return denied(Counter.DENIED_KEY);
        }
        if (!window.isIn(user.domain())) {
            return denied(Counter.DENIED_DOMAIN);
        }
        if (!window.opensTo(user)) {
            return denied(Counter.DENIED_PAIR);
        }
        if (!window.gives(right)) {
            return denied(Counter.DENIED_RIGHT);
        }
        if (!window.covers(address, length)) {
            return denied(Counter.DENIED_BOUNDS);
        }
        return region;
    }

    private @Nullable TransportRegion denied(Counter reason) {
        counters.add(reason);
        return null;
    }

    /// Takes a key out of force for a work request of a queue pair or of its peer; false when that
    /// is not allowed (IBA 10.6.5): not for windows of type 1 or of another queue pair, not for a
    /// region that windows are bound to.
    public boolean invalidate(int key, KeyUser user) {
        int index = keys.get(key);
        if (index == IntIndex.NONE) {
            return false;
        }
        if ((index & WINDOW) != 0) {
            return invalidateWindow(bound[index & ~WINDOW], user);
        }
        TransportRegion region = region(index);
        if (!region.isIn(user.domain())
                || (region.rightBits & Access.INVALIDATE.bit()) == 0
                || region.hasWindows()) {
            return false;
        }
        forgetKey(region);
        return true;
    }

    private boolean invalidateWindow(@Nullable TransportWindow window, KeyUser user) {
        if (window == null
                || window.type() != WindowType.TYPE_2
                || !window.isIn(user.domain())
                || !window.opensTo(user)) {
            return false;
        }
        endWindow(window);
        return true;
    }

    private static boolean isInside(TransportRegion region, long address, long length) {
        long offset = address - region.base;
        // No sum that could wrap: offset and length each have their own bound.
        return offset >= 0 && length <= region.length && offset <= region.length - length;
    }
}
