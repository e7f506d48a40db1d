package dev.verbena.fabric;

import java.util.PriorityQueue;

/// What programs want to be done at a time: before anything else of that instant, and in the order
/// in which it was asked for.
final class Agenda extends Alarm {
    /// Of which there is one.
    private record Item(long timePs, long number, Runnable action) implements Comparable<Item> {
        @Override
        public int compareTo(Item other) {
            int byTime = Long.compare(timePs, other.timePs);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Item> items = new PriorityQueue<>();
    private long asked;

    Agenda(Clock clock) {
        super(clock, Orders.AGENDA);
    }

    void add(long timePs, Runnable action) {
        items.add(new Item(timePs, asked++, action));
        plan();
    }

    private void plan() {
        Item first = items.peek();
        if (first != null) {
            set(first.timePs);
        }
    }

    @Override
    void ring(long nowPs) {
        Item first = items.peek();
        while (first != null && first.timePs <= nowPs) {
            items.remove();
            first.action.run();
            first = items.peek();
        }
        plan();
    }
}
