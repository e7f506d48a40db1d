package dev.verbena.verbs;

import java.util.function.Consumer;

/// A queue of receive requests that several queue pairs share. The first queue pair with a message
/// takes the next request (IBA 10.2.9).
///
/// Completions go to the completion queue of the queue pair that took the request. A request in use
/// by an unfinished message still occupies its entry: make the queue deeper than the number of
/// queue pairs. A queue that is closed before its queue pairs still serves them the posted requests
/// until the last queue pair is closed.
public interface SharedReceiveQueue extends AutoCloseable {
    /// A small number, unique on the device. Events and messages use it.
    int number();

    ProtectionDomain domain();

    /// Posts receive requests: all of them, or none and `false` when there is no room for all.
    default boolean postReceive(Consumer<? super ReceiveBatch> work) {
        return Filling.post(receives(), work);
    }

    /// An empty batch of receive requests to fill and post without allocation. The queue has one
    /// batch at a time; an unposted batch is cancelled.
    ReceiveBatch receives();

    /// The number of requests that the queue can accept now.
    int room();

    /// The armed limit, or 0.
    int limit();

    /// Requests one [AsyncEvent.Type#SHARED_RECEIVE_LIMIT] when fewer requests than this are left;
    /// the event disarms the limit. The event comes at once if fewer are left already; 0 disarms
    /// the limit.
    void limit(int requests);

    @Override
    void close();
}
