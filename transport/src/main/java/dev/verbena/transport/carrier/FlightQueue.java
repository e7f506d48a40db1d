package dev.verbena.transport.carrier;

import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.function.Supplier;

/// Packets under way, in the order in which they arrive, and those that wait to be used again. For
/// carriers in virtual time.
///
/// @param <F> a packet with what the carrier knows of it
public final class FlightQueue<F extends InFlight> {
    private final Supplier<F> maker;
    private final PriorityQueue<F> underWay = new PriorityQueue<>(InFlight::byArrival);
    private final ArrayDeque<F> idle = new ArrayDeque<>();
    private long added;

    /// @param maker makes a packet when none waits to be used again
    public FlightQueue(Supplier<F> maker) {
        this.maker = maker;
    }

    /// A packet to fill.
    public F take() {
        F flight = idle.pollLast();
        return flight == null ? maker.get() : flight;
    }

    /// Keeps a packet to be used again.
    public void give(F flight) {
        idle.addLast(flight);
    }

    /// How many are under way.
    public int size() {
        return underWay.size();
    }

    /// When the next one arrives, or [Long#MAX_VALUE].
    public long nextNs() {
        F next = underWay.peek();
        return next == null ? Long.MAX_VALUE : next.timeNs;
    }

    /// Lets a packet arrive at a time; its receiver is set already.
    public void add(F flight, long timeNs) {
        flight.timeNs = timeNs;
        flight.order = added++;
        underWay.add(flight);
    }

    /// The next to arrive; there must be one.
    public F remove() {
        return underWay.remove();
    }

    /// Keeps all that are under way to be used again.
    public void clear() {
        idle.addAll(underWay);
        underWay.clear();
    }
}
