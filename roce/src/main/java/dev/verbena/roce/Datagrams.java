package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import org.jspecify.annotations.Nullable;

/// The sockets of a device: one that receives, a few that send, and a wait for the first.
///
/// All but [#await] and [#wake] are called with the device's lock held.
interface Datagrams {
    /// The seat of the thread of the program that waits for packets.
    int LEADER = 0;

    /// The seat of the carrier's own thread.
    int OWN_THREAD = 1;

    int SEATS = 2;

    /// How many packets one call can send; 1 where the system does not cut a train up.
    int trainMax();

    /// Whether payload is sent from where it lies; else it is copied behind its headers.
    boolean gathers();

    /// The source port that packets with this flow label leave from.
    int sourcePort(int flowLabel);

    /// Sends the packets of the train; returns 0, or why the system did not accept it, so that it
    /// is lost: a number of [Errno].
    int send(Train train);

    /// Receives the next packets without waiting; false when there are none.
    boolean receive(Arrival arrival);

    /// The same for sockets other than the device's own: datagrams to groups, and requests that all
    /// devices at its address read. Single packets only.
    boolean receiveAside(Arrival arrival, long nowNs);

    /// Also receives datagrams to a multicast group; throws when the group cannot be joined.
    void join(Gid to);

    /// Does not any more; does not throw.
    void leave(Gid from);

    /// How many threads can wait at a time, each in its seat; with 1, any seat means the same.
    int seats();

    /// Waits for packets or a call of [#wake] for this seat, at most this long.
    void await(int seat, long ns);

    /// Ends the wait in a seat, or the next one there.
    void wake(int seat);

    /// Bytes that the system keeps for us until we look, as it counts them itself.
    int receiveBufferBytes();

    /// Packets that the system dropped because they were not read in time; -1 when the system does
    /// not report it.
    long drops();

    /// Forwards packets to other devices that share the address; null when the address is not
    /// shared.
    default @Nullable Forwarding forwarding() {
        return null;
    }

    /// How it does it, and why so, in a few words.
    String description();

    /// Lets go of the sockets; waits end.
    void close();
}
