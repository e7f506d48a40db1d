package dev.verbena.transport;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.LimitExceededException;
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
/// chance alone.
final class MemoryTable {
    private final int limit;
    private final RandomGenerator random;
    private final Counters counters;
    private final IntIndex keys = new IntIndex();
    private @Nullable TransportRegion[] regions = new TransportRegion[2];
    private int[] free = new int[2];
    private int freeCount;
    private int top;
    private final List<Arena> stillUsed = new ArrayList<>(0);

    MemoryTable(int limit, RandomGenerator random, Counters counters) {
        this.limit = limit;
        this.random = random;
        this.counters = counters;
    }

    /// Frees memory that nothing here uses any more; later, when somebody else still does.
    void free(Arena arena) {
        try {
            arena.close();
        } catch (IllegalStateException inUse) {
            // Another thread has it in a system call; closing is tried again with the next change.
            stillUsed.add(arena);
        }
    }

    private void freeStillUsed() {
        if (!stillUsed.isEmpty()) {
            List<Arena> again = List.copyOf(stillUsed);
            stillUsed.clear();
            again.forEach(this::free);
        }
    }

    /// A place for one more region.
    int reserve() {
        freeStillUsed();
        if (freeCount > 0) {
            return free[--freeCount];
        }
        if (top == limit) {
            throw new LimitExceededException(
                    "device",
                    "it holds " + limit + " memory regions already",
                    "close some, or use fewer and larger ones");
        }
        if (top == regions.length) {
            regions = Arrays.copyOf(regions, top * 2);
            free = Arrays.copyOf(free, top * 2);
        }
        return top++;
    }

    /// Gives back a place that was not used after all.
    void giveBack(int index) {
        free[freeCount++] = index;
    }

    void add(TransportRegion region) {
        regions[region.index] = region;
        giveKey(region);
    }

    void remove(TransportRegion region) {
        regions[region.index] = null;
        free[freeCount++] = region.index;
    }

    /// A region that has work in flight, and so is there.
    TransportRegion region(int index) {
        TransportRegion region = regions[index];
        return Objects.requireNonNull(region, "work in flight holds its regions");
    }

    void giveKey(TransportRegion region) {
        int key = random.nextInt();
        while (keys.get(key) != IntIndex.NONE) {
            key = random.nextInt();
        }
        keys.put(key, region.index);
        region.key(key);
    }

    void forgetKey(TransportRegion region) {
        if (region.keyInForce()) {
            keys.remove(region.remoteKey());
            region.endKey();
        }
    }

    /// Closes every region; no work is in flight any more.
    void closeAll() {
        for (int i = 0; i < top; i++) {
            TransportRegion region = regions[i];
            if (region != null) {
                region.close();
            }
        }
        freeStillUsed();
    }

    /// Regions that are there, closed ones with work in flight among them.
    int size() {
        return top - freeCount;
    }

    /// The region that a peer may use as it asks to, or null (IBA 10.6.3.1 and 9.7.4.1.4): the key
    /// is in force, the domain is the queue pair's, the right was given, the range is inside.
    @Nullable TransportRegion access(
            int key, TransportDomain domain, Access right, long address, long length) {
        int index = keys.get(key);
        TransportRegion region = index == IntIndex.NONE ? null : regions[index];
        if (region == null) {
            return denied(Counter.DENIED_KEY);
        }
        if (!region.isIn(domain)) {
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

    private @Nullable TransportRegion denied(Counter reason) {
        counters.add(reason);
        return null;
    }

    /// Takes a key out of force for a work request; false when that is not allowed.
    boolean invalidate(int key, TransportDomain domain) {
        int index = keys.get(key);
        TransportRegion region = index == IntIndex.NONE ? null : regions[index];
        if (region == null
                || !region.isIn(domain)
                || (region.rightBits & Access.INVALIDATE.bit()) == 0) {
            return false;
        }
        forgetKey(region);
        return true;
    }

    private static boolean isInside(TransportRegion region, long address, long length) {
        long offset = address - region.base;
        // No sum that could wrap: offset and length each have their own bound.
        return offset >= 0 && length <= region.length && offset <= region.length - length;
    }
}
