package dev.verbena.transport;

import dev.verbena.transport.carrier.Driver;
import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// A network with a forger and real devices: a provider implements it so that its devices can be
/// attacked from outside.
public interface AttackNetwork extends AutoCloseable {
    /// Opens a device at the address of a host.
    TransportDevice open(int host, int mtu, long seed, Consumer<TransportOptions> changes);

    /// The address of a host by its number.
    Gid address(int host);

    /// Low bits of an address that a forger may change; 0 when it has one address only.
    int sourceBits();

    /// Where the peers receive.
    int peerPort();

    /// Why nothing can be sent to multicast groups; empty when it can.
    String lacksGroups();

    /// Writes the ICRC behind a packet whose length includes it.
    void seal(MemorySegment bytes, long at, int length, Gid from, Gid to);

    /// Whether a packet's ICRC is so wrong that a receiver can tell.
    boolean isNoticed(MemorySegment bytes, long at, int length, Gid from);

    /// Sends a packet to the first device that was opened, or to a group that it has joined.
    void send(MemorySegment bytes, long at, int length, Gid from, Gid to);

    /// Receives a packet for the peers, without waiting; returns its length, 0 when there is none.
    int receive(MemorySegment into);

    /// Whether the packet received last has the ICRC of one to this address.
    boolean isSound(MemorySegment bytes, int length, Gid to);

    /// Drives the devices, or leaves those the processor that do.
    void turn();

    /// Lets a device send no more than so many bytes, at once, and nothing after that until it is
    /// called again.
    void hold(Driver driver, int budget);

    /// Lets it send as it likes.
    void release(Driver driver);

    @Override
    void close();
}
