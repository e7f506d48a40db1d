package dev.verbena.transport;

import java.util.SortedMap;
import java.util.TreeMap;

/// The counts of one device.
final class Counters {
    private final long[] values = new long[Counter.values().length];

    void add(Counter counter) {
        add(counter, 1);
    }

    @SuppressWarnings("EnumOrdinal") // an index into an array of this process, never stored
    void add(Counter counter, long amount) {
        values[counter.ordinal()] += amount;
    }

    @SuppressWarnings("EnumOrdinal") // see above
    long value(Counter counter) {
        return values[counter.ordinal()];
    }

    SortedMap<String, Long> byTitle() {
        SortedMap<String, Long> map = new TreeMap<>();
        for (Counter counter : Counter.values()) {
            map.put(counter.title(), value(counter));
        }
        return map;
    }
}
