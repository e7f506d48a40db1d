package dev.verbena.ibverbs.driver;

/// A channel of librdmacm, with the events that wait in it.
final class CmChannel extends DriverObject {
    /// An event of an id.
    ///
    /// @param listener the id that a request came to; that of the event elsewhere
    record Event(CmId id, CmId listener, int type, int status, CmMessage message) {}

    final EventFile<Event> events = new EventFile<>();

    CmChannel(InProcessDriver driver) {
        super(driver, Layouts.CM_CHANNEL);
        Layouts.CM_CHANNEL.put(address, "fd", events.file());
    }

    /// Fetches an event into a structure, and returns its address.
    long next() {
        if (events.waits()) {
            driver.misuse.add(this + " would be read without an event: its file waits");
        }
        Event event = events.poll();
        if (event == null) {
            throw new Refusal(Refusal.EAGAIN);
        }
        return new CmEventObject(driver, event).address;
    }

    void close() {
        requireUnused();
        events.close();
        free();
    }
}
