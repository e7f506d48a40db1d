package dev.verbena.transport.common;

import java.util.Arrays;

/// Numbers of queue pairs whose connections ended lately.
///
/// IBA 12.9.8.4: peers remember a connection for some time after its end, and take a request of the
/// same queue pair for a stale one. So its number is not used again until many others have ended.
public final class RetiredNumbers {
    private static final int FIRST = 16;

    private final IntIndex known = new IntIndex();
    private final int most;
    private int[] ring;
    private int count;
    private int next;

    /// @param most how many are kept, a power of two
    public RetiredNumbers(int most) {
        this.most = most;
        ring = new int[Math.min(FIRST, most)];
    }

    public boolean has(int number) {
        return known.get(number) != IntIndex.NONE;
    }

    public void add(int number) {
        if (count == ring.length && count < most) {
            ring = Arrays.copyOf(ring, 2 * count);
            next = count;
        }
        if (count == most) {
            known.remove(ring[next]);
        } else {
            count++;
        }
        ring[next] = number;
        known.put(number, next);
        next = (next + 1) % ring.length;
    }
}
