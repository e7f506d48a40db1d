package dev.verbena.verbs.spi;

import dev.verbena.verbs.Device;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The time of a network that has its own: it moves when a program waits. Several threads can use
/// such a network in turn, see [#pass].
///
/// Called by the thread that has the baton, or while no other thread uses the network.
public interface VirtualTime {
    /// Nanoseconds since the network was made.
    long nowNs();

    /// Lets the next event happen; returns false when there is none up to that time.
    boolean step(long untilNs);

    /// Lets all events up to that time happen, and moves the time there.
    void advanceTo(long untilNs);

    /// Whether nothing will happen until a program posts a request.
    boolean isIdle();

    /// Lets those threads use the devices that pass a baton, until it is taken away by null. Called
    /// while no thread is in a call of a device.
    void pass(@Nullable Baton baton);

    /// The baton that threads pass, or null while they pass none. A library whose threads wait for
    /// each other, and not only for packets, hands it on there.
    default @Nullable Baton baton() {
        return null;
    }

    /// That of a device's network, if it has one.
    static Optional<VirtualTime> of(Device device) {
        return device instanceof Timed timed ? timed.virtualTime() : Optional.empty();
    }

    /// A device that may be on a network in virtual time.
    interface Timed {
        /// The time of its network; the same object for all devices of one network.
        Optional<VirtualTime> virtualTime();
    }
}
