package dev.verbena.virtual;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Frames under way, in the order in which they arrive: a binary heap.
final class FlightQueue {
    private @Nullable Flight[] heap = new Flight[64];
    private int size;

    int size() {
        return size;
    }

    /// When the next one arrives, or [Long#MAX_VALUE].
    long nextNs() {
        return size == 0 ? Long.MAX_VALUE : at(0).timeNs;
    }

    void add(Flight flight) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        int hole = size++;
        while (hole > 0) {
            Flight parent = at((hole - 1) / 2);
            if (parent.isBefore(flight)) {
                break;
            }
            heap[hole] = parent;
            hole = (hole - 1) / 2;
        }
        heap[hole] = flight;
    }

    /// The next to arrive; there must be one.
    Flight remove() {
        Flight first = at(0);
        Flight last = at(--size);
        heap[size] = null;
        if (size > 0) {
            putDown(last);
        }
        return first;
    }

    private void putDown(Flight flight) {
        int hole = 0;
        int child = 1;
        while (child < size) {
            if (child + 1 < size && at(child + 1).isBefore(at(child))) {
                child++;
            }
            if (flight.isBefore(at(child))) {
                break;
            }
            heap[hole] = at(child);
            hole = child;
            child = 2 * hole + 1;
        }
        heap[hole] = flight;
    }

    private Flight at(int index) {
        return Objects.requireNonNull(heap[index], "the heap is full up to its size");
    }
}
