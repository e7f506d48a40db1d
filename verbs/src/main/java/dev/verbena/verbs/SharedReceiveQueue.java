package dev.verbena.verbs;

import java.util.function.Consumer;

/// Receive requests that several queue pairs take from, whichever has a message first (IBA 10.2.9).
///
/// Completions come to the completion queue of the queue pair that took the request. A request that
/// an unfinished message is being put into still takes its room: make the queue deeper than there
/// are queue pairs. Closed before them, it serves them what was posted until the last is closed.
public interface SharedReceiveQueue extends AutoCloseable {
    /// A small number, unique on the device, which events and messages call it by.
    int number();

    ProtectionDomain domain();

    /// Posts receive requests: all of them, or nothing and `false` when there is no room for all.
    default boolean postReceive(Consumer<? super ReceiveBatch> work) {
        return Filling.post(receives(), work);
    }

    /// An empty batch of receive requests to fill and post without any allocation. The queue has
    /// one at a time; one that was left unposted is given up.
    ReceiveBatch receives();

    /// How many requests it would take now.
    int room();

    /// The limit that is armed, or 0.
    int limit();

    /// Asks for one [AsyncEvent.Type#SHARED_RECEIVE_LIMIT] when fewer requests than this are left;
    /// it is disarmed by that. At once when there are fewer already; 0 disarms it.
    void limit(int requests);

    @Override
    void close();
}
