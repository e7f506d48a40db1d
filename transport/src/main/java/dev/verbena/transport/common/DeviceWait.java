package dev.verbena.transport.common;

import dev.verbena.verbs.spi.DrivenWait;
import java.util.function.BooleanSupplier;

/// The wait of a program for conditions of its own.
public final class DeviceWait implements DrivenWait {
    private final DeviceLife device;
    private final Waiters waiters;

    public DeviceWait(DeviceLife device) {
        this.device = device;
        waiters = new Waiters(device);
    }

    @Override
    public void await(long ns, BooleanSupplier isOver) {
        device.requireOpen();
        waiters.await(device.nowNs(), Math.max(0, ns), isOver);
    }

    @Override
    public void wake() {
        try (var _ = device.entry.enter()) {
            waiters.rouse();
        }
    }
}
