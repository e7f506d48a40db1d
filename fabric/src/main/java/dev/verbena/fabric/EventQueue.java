package dev.verbena.fabric;

import java.util.Arrays;

/// The events of a fabric, soonest first, and at one instant by order.
///
/// It is a wheel of buckets, each of a few picoseconds. Most events are within a link's delay, and
/// go to their bucket directly. Later events wait in a heap until the wheel has turned that far.
/// The current bucket is sorted, and is called the front.
///
/// Ports and links have one or two entries each, so the length of the queue grows with busy ports
/// and armed timers, not with packets. An entry stays until its time; an event that can change its
/// time is an [Alarm].
final class EventQueue {
    /// The time of the next event when there is none.
    static final long NEVER = Long.MAX_VALUE;

    /// Orders are below this, since a time and an order share a word in the front.
    static final int ORDER_BITS = 24;

    private static final long ORDER_MASK = (1L << ORDER_BITS) - 1;
    private static final int WIDTH_SHIFT = 6;
    private static final long WIDTH_PS = 1 << WIDTH_SHIFT;
    private static final int NEXT = 32;
    private static final long KEY_MASK = (1L << (WIDTH_SHIFT + ORDER_BITS)) - 1;
    private static final int BUCKETS = 1 << 14;
    private static final int MASK = BUCKETS - 1;
    private static final int NONE = -1;
    private static final int SORTED_MAX = 32;

    /// Steps from the end of the front before its place is searched for: most events are late.
    private static final int STEPS_MAX = 16;

    /// How far before the epoch the times of the front may be.
    private static final long REACH_PS = 1L << 38;

    private final EventHeap later = new EventHeap();
    private final int[] buckets = new int[BUCKETS];

    /// A bit for each bucket that is not empty.
    private final long[] occupied = new long[BUCKETS / Long.SIZE];

    /// Entries of buckets, those that are not used among them, chained: in the upper half the next
    /// one, below it what becomes of it in the front.
    private long[] entries = new long[64];

    private int free = NONE;
    private int made;

    /// Times since [#epochPs] above orders, in order, from [#at] to [#end].
    private long[] front = new long[64];

    private int at;
    private int end;
    private long epochPs;

    /// The bucket that the front was made of, counted from time 0.
    private long current;

    private int size;

    EventQueue() {
        Arrays.fill(buckets, NONE);
    }

    int size() {
        return size;
    }

    /// Time of the next event, or [#NEVER].
    long nextPs() {
        if (at == end && !advance()) {
            return NEVER;
        }
        return epochPs + (front[at] >> ORDER_BITS);
    }

    /// Removes the next event; [#nextPs] must have returned its time before.
    int next() {
        size--;
        return (int) (front[at++] & ORDER_MASK);
    }

    void add(int order, long timePs) {
        size++;
        long bucket = timePs >>> WIDTH_SHIFT;
        long ahead = bucket - current;
        if (ahead <= 0) {
            if (epochPs - timePs > REACH_PS) {
                turnBack(timePs);
            }
            insert(key(timePs, order));
        } else if (ahead < BUCKETS) {
            put((int) bucket & MASK, order, timePs);
        } else {
            later.add(order, timePs);
        }
    }

    /// Makes room for an event long before the front, which was made when no earlier event was
    /// known.
    private void turnBack(long timePs) {
        int bucket = (int) current & MASK;
        do {
            for (; at < end; at++) {
                later.add((int) (front[at] & ORDER_MASK), epochPs + (front[at] >> ORDER_BITS));
            }
            int from = bucket;
            bucket = occupiedAfter(from);
            if (bucket != NONE) {
                current += (bucket - from) & MASK;
                load(bucket);
            }
        } while (bucket != NONE);
        current = timePs >>> WIDTH_SHIFT;
        epochPs = current << WIDTH_SHIFT;
        at = 0;
        end = 0;
        pull();
    }

    private long key(long timePs, int order) {
        return ((timePs - epochPs) << ORDER_BITS) + order;
    }

    /// Inserts into the front, from the end: new events are mostly late. Where a thousand hosts are
    /// in step they are not: all their events are at one instant, in the order of hosts.
    private void insert(long key) {
        if (end == front.length) {
            if (at > end / 2) {
                System.arraycopy(front, at, front, 0, end - at);
                end -= at;
                at = 0;
            } else {
                front = Arrays.copyOf(front, end * 2);
            }
        }
        int place = end++;
        int searched = Math.max(at, place - STEPS_MAX);
        while (place > searched && front[place - 1] > key) {
            front[place] = front[place - 1];
            place--;
        }
        if (place > at && front[place - 1] > key) {
            int found = Arrays.binarySearch(front, at, place, key);
            int early = found < 0 ? -1 - found : found;
            System.arraycopy(front, early, front, early + 1, place - early);
            place = early;
        }
        front[place] = key;
    }

    private void put(int bucket, int order, long timePs) {
        int entry = free;
        if (entry == NONE) {
            if (made == entries.length) {
                entries = Arrays.copyOf(entries, made * 2);
            }
            entry = made++;
        } else {
            free = (int) (entries[entry] >> NEXT);
        }
        long key = ((timePs & (WIDTH_PS - 1)) << ORDER_BITS) + order;
        entries[entry] = ((long) buckets[bucket] << NEXT) + key;
        buckets[bucket] = entry;
        occupied[bucket >> 6] |= 1L << bucket;
    }

    /// Moves to the next bucket that is not empty; returns whether there is one.
    private boolean advance() {
        if (size == 0) {
            return false;
        }
        int from = (int) current & MASK;
        int bucket = occupiedAfter(from);
        if (bucket == NONE) {
            current = later.nextPs() >>> WIDTH_SHIFT;
            bucket = (int) current & MASK;
        } else {
            current += (bucket - from) & MASK;
        }
        pull();
        load(bucket);
        return true;
    }

    /// Moves events that the wheel now covers from the heap into it.
    private void pull() {
        while (later.nextPs() >>> WIDTH_SHIFT < current + BUCKETS) {
            long timePs = later.nextPs();
            put((int) (timePs >>> WIDTH_SHIFT) & MASK, later.next(), timePs);
        }
    }

    /// The next bucket after a given one that is not empty, all around the wheel.
    private int occupiedAfter(int bucket) {
        int word = bucket >> 6;
        // Of its own word those behind it; the others when the search has come around.
        long bits = occupied[word] & (-2L << bucket);
        for (int i = 0; i <= occupied.length; i++) {
            if (bits != 0) {
                return (word << 6) + Long.numberOfTrailingZeros(bits);
            }
            word = (word + 1) & (occupied.length - 1);
            bits = occupied[word];
        }
        return NONE;
    }

    private void load(int bucket) {
        epochPs = current << WIDTH_SHIFT;
        at = 0;
        end = 0;
        int entry = buckets[bucket];
        buckets[bucket] = NONE;
        occupied[bucket >> 6] &= ~(1L << bucket);
        while (entry != NONE) {
            if (end == front.length) {
                front = Arrays.copyOf(front, end * 2);
            }
            long word = entries[entry];
            front[end++] = word & KEY_MASK;
            entries[entry] = (long) free << NEXT;
            free = entry;
            entry = (int) (word >> NEXT);
        }
        order();
    }

    /// Few are put in order as they are; many at once, as when all hosts start together, are not.
    private void order() {
        if (end > SORTED_MAX) {
            Arrays.sort(front, 0, end);
            return;
        }
        for (int i = 1; i < end; i++) {
            long key = front[i];
            int place = i;
            while (place > 0 && front[place - 1] > key) {
                front[place] = front[place - 1];
                place--;
            }
            front[place] = key;
        }
    }
}
