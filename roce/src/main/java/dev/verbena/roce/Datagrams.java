package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import org.jspecify.annotations.Nullable;

/// The sockets of a device: one that receives, a few that send, and a way to wait for the first.
///
/// All but [#await] and [#wake] are called with the device's lock held.
interface Datagrams {
    /// How many packets one call can send; 1 where the system does not cut a train up, or has
    /// refused to. It never grows.
    int trainMax();

    /// Whether payload is sent from where it lies; else it is copied behind its headers.
    boolean gathers();

    /// The source port that packets with this flow label leave from.
    int sourcePort(int flowLabel);

    /// Sends what the train holds; false when the system did not take it, so that it is lost.
    boolean send(Train train);

    /// Takes what came next, without waiting; false when there is nothing.
    boolean receive(Arrival arrival);

    /// The same for other sockets than the device's own: what was sent to groups, and requests that
    /// all devices at its address read. Single packets only.
    boolean receiveAside(Arrival arrival, long nowNs);

    /// Takes what is sent to a multicast group too; throws when that cannot be.
    void join(Gid to);

    /// Does not any more; does not throw.
    void leave(Gid from);

    /// Waits until something comes or somebody calls [#wake], at most so long.
    void await(long ns);

    /// Ends the waits of others.
    void wake();

    /// Bytes that the system keeps for us until we look, as it counts them itself.
    int receiveBufferBytes();

    /// Packets that the system dropped because nobody looked in time; -1 when it does not tell.
    long drops();

    /// How packets get to others that share the address; null when nobody does.
    default @Nullable Forwarding forwarding() {
        return null;
    }

    /// How it does it, and why so, in a few words.
    String description();

    /// Lets go of the sockets; waits end.
    void close();
}
