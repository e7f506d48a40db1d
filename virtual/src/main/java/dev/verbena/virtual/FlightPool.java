package dev.verbena.virtual;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/// Flights that wait to be used again; there come to be as many as were ever under way at a time.
final class FlightPool {
    private static final int CHUNK = 32;

    private final ArrayDeque<Flight> idle = new ArrayDeque<>();

    Flight take() {
        if (idle.isEmpty()) {
            grow();
        }
        return idle.removeLast();
    }

    void give(Flight flight) {
        flight.to = null;
        idle.addLast(flight);
    }

    private void grow() {
        MemorySegment chunk = Arena.ofAuto().allocate((long) CHUNK * Frames.LENGTH_MAX, 64);
        for (int i = CHUNK - 1; i >= 0; i--) {
            idle.addLast(new Flight(chunk, (long) i * Frames.LENGTH_MAX));
        }
    }
}
