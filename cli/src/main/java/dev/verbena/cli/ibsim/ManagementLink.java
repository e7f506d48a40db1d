package dev.verbena.cli.ibsim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;

/// A port by which a program sends and gets management datagrams: of a simulated subnet, or of this
/// machine.
public interface ManagementLink extends AutoCloseable {
    /// Takes datagrams that have come.
    @FunctionalInterface
    interface Receiver {
        /// Takes a datagram of 256 bytes, which is not valid after the call.
        void receive(int sourceLid, int sourcePair, MemorySegment mad);
    }

    /// Sends a datagram.
    ///
    /// @param lid of the receiver, or [dev.verbena.subnet.DatagramSink#DIRECTED]
    /// @param pair the queue pair of the receiver
    void send(int lid, int pair, MemorySegment mad) throws IOException;

    /// The same for a sink of datagrams, which throws no checked exceptions.
    default void sendUnchecked(int lid, int pair, MemorySegment mad) {
        try {
            send(lid, pair, mad);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /// Hands over what has come.
    ///
    /// @return whether anything has
    boolean receive(Receiver receiver) throws IOException;

    /// Waits until a datagram comes, [#wakeUp], or a time.
    void await(long mostMs) throws IOException;

    /// Ends [#await], from any thread, soon.
    void wakeUp();

    @Override
    void close() throws IOException;
}
