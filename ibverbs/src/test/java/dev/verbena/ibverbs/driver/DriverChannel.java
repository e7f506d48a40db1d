package dev.verbena.ibverbs.driver;

/// A completion channel: the queues that have an event.
final class DriverChannel extends DriverObject {
    private final DriverContext context;
    final EventFile<DriverQueue> events = new EventFile<>();

    DriverChannel(DriverContext context) {
        super(context.driver, Layouts.CHANNEL);
        this.context = context;
        context.users++;
        Layouts.CHANNEL.put(address, "context", context.address);
        Layouts.CHANNEL.put(address, "fd", events.file());
    }

    /// The next queue with an event.
    DriverQueue next() {
        if (events.waits()) {
            driver.misuse.add(this + " would be read without an event: its file waits");
        }
        DriverQueue queue = events.poll();
        if (queue == null) {
            throw new Refusal(Refusal.EAGAIN);
        }
        queue.unacknowledged++;
        return queue;
    }

    void close() {
        requireUnused();
        events.close();
        context.users--;
        free();
    }
}
