package dev.verbena.transport.common;

import dev.verbena.transport.carrier.Driver;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.spi.ObjectRules;
import org.jspecify.annotations.Nullable;

/// Whether a device is open, was closed or has failed, and the carrier that moves its packets.
public final class DeviceLife {
    /// The device itself. A carrier may refer to it weakly, and a program may keep nothing of it
    /// but a completion queue or a listener: these refer to this object, and so keep the device.
    @SuppressWarnings({"unused", "FieldCanBeLocal"})
    private final Object owner;

    public final String name;
    public final Driver driver;
    public final GuardedEntry entry;

    /// Queue pairs and listeners, by which peers reach it.
    private int reaches;

    private volatile boolean closed;

    /// What ended it, while it was not closed.
    private volatile @Nullable Throwable failure;

    public DeviceLife(Object owner, String name, Driver driver, GuardedEntry entry) {
        this.owner = owner;
        this.name = name;
        this.driver = driver;
        this.entry = entry;
    }

    public void close() {
        closed = true;
    }

    public void fail(Throwable cause) {
        failure = cause;
    }

    public boolean isClosed() {
        return closed;
    }

    /// Whether it was closed or failed.
    public boolean isOver() {
        return closed || failure != null;
    }

    /// One queue pair or listener more, or less.
    public void reach(int change) {
        boolean wasReachable = reaches > 0;
        reaches += change;
        if (wasReachable != reaches > 0) {
            driver.reachable(reaches > 0);
        }
    }

    public long nowNs() {
        return driver.nowNs();
    }

    /// Moves packets once for a program that polls; returns whether anything was done.
    public boolean progress() {
        requireOpen();
        boolean moved = driver.turn();
        if (!moved) {
            driver.polledInVain();
        }
        return moved;
    }

    public void requireOpen() {
        requireNotClosed();
        Throwable cause = failure;
        if (cause != null) {
            throw new ClosedException(
                    name, "the device failed: " + cause, "close it and open it again");
        }
    }

    /// What a program may still do with a device that failed: take the completions.
    public void requireNotClosed() {
        if (closed) {
            throw ObjectRules.closedDevice(name);
        }
    }
}
