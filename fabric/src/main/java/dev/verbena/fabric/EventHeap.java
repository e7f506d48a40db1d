package dev.verbena.fabric;

import java.util.Arrays;

/// Events beyond the wheel of an [EventQueue], soonest first: a heap with four children to a node.
final class EventHeap {
    private static final int CHILDREN = 4;

    private long[] times = new long[64];
    private int[] orders = new int[64];
    private int size;

    /// Time of the next event, or [EventQueue#NEVER].
    long nextPs() {
        return size == 0 ? EventQueue.NEVER : times[0];
    }

    void add(int order, long timePs) {
        if (size == times.length) {
            times = Arrays.copyOf(times, size * 2);
            orders = Arrays.copyOf(orders, size * 2);
        }
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) / CHILDREN;
            long parentPs = times[parent];
            if (parentPs < timePs || (parentPs == timePs && orders[parent] <= order)) {
                break;
            }
            times[at] = parentPs;
            orders[at] = orders[parent];
            at = parent;
        }
        times[at] = timePs;
        orders[at] = order;
    }

    /// Removes the next event; there must be one.
    int next() {
        int first = orders[0];
        size--;
        if (size > 0) {
            down(orders[size], times[size]);
        }
        return first;
    }

    private void down(int order, long timePs) {
        int at = 0;
        while (true) {
            int child = at * CHILDREN + 1;
            if (child >= size) {
                break;
            }
            int end = Math.min(child + CHILDREN, size);
            int least = child;
            long leastPs = times[child];
            for (int i = child + 1; i < end; i++) {
                long childPs = times[i];
                if (childPs < leastPs || (childPs == leastPs && orders[i] < orders[least])) {
                    least = i;
                    leastPs = childPs;
                }
            }
            if (timePs < leastPs || (timePs == leastPs && order < orders[least])) {
                break;
            }
            times[at] = leastPs;
            orders[at] = orders[least];
            at = least;
        }
        times[at] = timePs;
        orders[at] = order;
    }
}
