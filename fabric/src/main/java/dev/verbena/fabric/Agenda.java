package dev.verbena.fabric;

import java.util.PriorityQueue;

/// Actions that programs scheduled for a time. They run before all other events of that instant, in
/// the order in which they were scheduled.
final class Agenda extends Alarm {
    /// A fabric has one agenda, and so one such order.
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
