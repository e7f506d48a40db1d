package dev.verbena.ibverbs.driver;

import dev.verbena.verbs.SharedReceiveQueue;

/// A shared receive queue.
final class DriverShared extends DriverObject {
    final DriverDomain domain;
    final SharedReceiveQueue queue;
    final WorkRing ring;

    DriverShared(DriverDomain domain, long init) {
        CStruct attr = Layouts.SRQ_INIT;
        int depth = attr.getInt(init, "max_wr");
        var limits = domain.context.device.transport.limits();
        boolean fits =
                depth > 0
                        && depth <= limits.workRequests()
                        && attr.get(init, "max_sge") <= limits.scatterGather();
        Refusal.unless(fits, Refusal.EINVAL);
        this.queue = domain.domain.sharedReceiveQueue(depth);
        super(domain.driver, Layouts.SRQ);
        this.domain = domain;
        this.ring = new WorkRing(driver, depth, false);
        domain.users++;
        Layouts.SRQ.put(address, "context", domain.context.address);
        Layouts.SRQ.put(address, "srq_context", attr.get(init, "srq_context"));
        Layouts.SRQ.put(address, "pd", domain.address);
    }

    void modify(long attr, int mask) {
        // Its size, which the transport does not change.
        Refusal.unless((mask & 1) == 0, Refusal.EOPNOTSUPP);
        if ((mask & 2) != 0) {
            queue.limit(Layouts.SRQ_ATTR.getInt(attr, "srq_limit"));
        }
    }

    void query(long attr) {
        Layouts.SRQ_ATTR.put(attr, "max_wr", ring.depth());
        Layouts.SRQ_ATTR.put(
                attr, "max_sge", domain.context.device.transport.limits().scatterGather());
        Layouts.SRQ_ATTR.put(attr, "srq_limit", queue.limit());
    }

    void close() {
        requireUnused();
        driver.awaitAcknowledged(this);
        domain.context.events.removeIf(event -> event.element().equals(this));
        ring.clear();
        queue.close();
        domain.users--;
        free();
    }
}
