package dev.verbena.transport.common;

import dev.verbena.transport.carrier.PortSettings;

/// The port of a device, as it is at the moment. Read by other threads without the guard.
public final class PortTable {
    private volatile PortSettings now;

    /// Kept, since every packet asks; its carrier reads and writes it with the guard held.
    private boolean isActive;

    public PortTable(PortSettings first) {
        now = first;
        isActive = first.isActive();
    }

    public PortSettings now() {
        return now;
    }

    public boolean isActive() {
        return isActive;
    }

    public void set(PortSettings next) {
        now = next;
        isActive = next.isActive();
    }
}
