package dev.verbena.transport;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Packets under way, in the order in which they arrive, and those that wait to be used again.
final class FlightQueue {
    /// A script that lets this many packets pile up has gone wrong.
    private static final int LIMIT = 1 << 20;

    private final ArrayDeque<Flight> idle = new ArrayDeque<>();
    private @Nullable Flight[] heap = new Flight[64];
    private int size;

    Flight take() {
        Flight flight = idle.pollLast();
        return flight == null ? new Flight() : flight;
    }

    void give(Flight flight) {
        idle.addLast(flight);
    }

    int size() {
        return size;
    }

    /// When the next one arrives, or [Long#MAX_VALUE].
    long nextNs() {
        Flight first = heap[0];
        return first == null ? Long.MAX_VALUE : first.timeNs;
    }

    void add(Flight flight) {
        if (size == LIMIT) {
            throw new AssertionError(LIMIT + " packets are under way");
        }
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        int at = size++;
        while (at > 0 && flight.isBefore(at((at - 1) / 2))) {
            heap[at] = heap[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        heap[at] = flight;
    }

    /// The next to arrive; there must be one.
    Flight poll() {
        Flight first = at(0);
        size--;
        Flight last = at(size);
        heap[size] = null;
        if (size > 0) {
            sink(last);
        }
        return first;
    }

    void clear() {
        while (size > 0) {
            give(poll());
        }
    }

    private void sink(Flight flight) {
        int at = 0;
        int child = 1;
        while (child < size) {
            if (child + 1 < size && at(child + 1).isBefore(at(child))) {
                child++;
            }
            if (flight.isBefore(at(child))) {
                break;
            }
            heap[at] = heap[child];
            at = child;
            child = 2 * at + 1;
        }
        heap[at] = flight;
    }

    private Flight at(int index) {
        return Objects.requireNonNull(heap[index]);
    }
}
