package dev.verbena.transport.common;

import dev.verbena.transport.carrier.Counter;
import java.util.SortedMap;
import java.util.TreeMap;

/// The counts of one device.
public final class Counters {
    private final long[] values = new long[Counter.values().length];

    public void add(Counter counter) {
        add(counter, 1);
    }

    @SuppressWarnings("EnumOrdinal") // an index into an array of this process, never stored
    public void add(Counter counter, long amount) {
        values[counter.ordinal()] += amount;
    }

    @SuppressWarnings("EnumOrdinal") // see above
    public long value(Counter counter) {
        return values[counter.ordinal()];
    }

    public SortedMap<String, Long> byTitle() {
        SortedMap<String, Long> map = new TreeMap<>();
        for (Counter counter : Counter.values()) {
            map.put(counter.title(), value(counter));
        }
        return map;
    }
}
