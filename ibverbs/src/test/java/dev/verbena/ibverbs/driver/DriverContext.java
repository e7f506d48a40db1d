package dev.verbena.ibverbs.driver;

/// A device that a program has opened.
final class DriverContext extends DriverObject {
    /// An event of an object, with libibverbs' number of its type.
    record Event(DriverObject element, int type) {}

    final DriverDevice device;
    final EventFile<Event> events = new EventFile<>();
    private final EventFile<Event> commands = new EventFile<>();

    DriverContext(InProcessDriver driver, DriverDevice device) {
        super(driver, Layouts.CONTEXT);
        this.device = device;
        put("device", device.address);
        put("poll_cq", Stubs.POLL_CQ);
        put("req_notify_cq", Stubs.REQ_NOTIFY_CQ);
        put("post_send", Stubs.POST_SEND);
        put("post_recv", Stubs.POST_RECV);
        put("post_srq_recv", Stubs.POST_SRQ_RECV);
        put("alloc_mw", Stubs.ALLOC_MW);
        put("dealloc_mw", Stubs.DEALLOC_MW);
        put("cmd_fd", commands.file());
        put("async_fd", events.file());
        put("num_comp_vectors", 1);
        put("abi_compat", -1);
    }

    private void put(String field, long value) {
        Layouts.CONTEXT.put(address, field, value);
    }

    void close() {
        if (users > 0) {
            driver.misuse.add(device.name + " was closed with " + users + " objects left");
        }
        events.close();
        commands.close();
        free();
    }
}
