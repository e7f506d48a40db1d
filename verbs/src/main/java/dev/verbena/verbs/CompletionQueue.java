package dev.verbena.verbs;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A queue of finished work requests. The completions of one work queue keep their order.
///
/// Several threads may poll; each completion goes to one of them. When the queue overflows it is
/// lost: an [AsyncEvent] reports the overflow, and the queue pairs that use the queue fail. Its
/// capacity must cover all work in flight.
public interface CompletionQueue extends AutoCloseable {
    /// A small number, unique on the device. Events and messages use it.
    int number();

    /// The number of completions that the queue can hold.
    int capacity();

    /// Returns the oldest completion, or null when there is none. The queue has only one completion
    /// object: its values are valid until the next poll.
    @Nullable Completion poll();

    /// Passes up to `most` completions to the handler, oldest first, and returns their number.
    ///
    /// A lambda that captures a variable is a new object in each call; to avoid the allocation,
    /// keep the handler in a field.
    int poll(int most, Consumer<? super Completion> handler);

    /// Waits for a completion, then passes all completions to the handler and returns their number;
    /// returns 0 after the timeout. [Duration#ZERO] polls once and does not wait.
    ///
    /// An interrupt of the thread ends the wait, and stays set.
    ///
    /// @throws ClosedException when the queue or its device is closed, also during the wait
    int await(Duration timeout, Consumer<? super Completion> handler);

    /// Requests one call of the listener for the next completion. A completion that arrived before
    /// this call does not count: poll once more after arming.
    void arm(Notification kind);

    /// Sets the listener. It is called once for each [#arm], inside the device, by the thread that
    /// adds the completion: a thread that drives the device, posts or closes. The listener must not
    /// block and must not use the device; it is meant to wake another thread.
    void onNotification(Runnable listener);

    /// A queue that is closed before its queue pairs stays in use until the last of them is closed.
    @Override
    void close();
}
