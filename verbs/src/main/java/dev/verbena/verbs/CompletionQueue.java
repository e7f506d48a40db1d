package dev.verbena.verbs;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Where finished work is reported, in the order in which each queue finished it.
///
/// One thread polls at a time. When more completions come than it holds, the queue is lost: an
/// [AsyncEvent] says so and its queue pairs fail; size it for all work that may be in flight.
public interface CompletionQueue extends AutoCloseable {
    /// A small number, unique on the device, which events and messages call it by.
    int number();

    /// How many completions it holds.
    int capacity();

    /// The oldest completion, or null when there is none. The object is the queue's only one: what
    /// it says holds until the next poll.
    @Nullable Completion poll();

    /// Hands up to `most` completions over, oldest first, and returns how many there were.
    ///
    /// A lambda that captures something is a new object in every call; where that counts, keep the
    /// handler in a field.
    int poll(int most, Consumer<? super Completion> handler);

    /// Waits until there is a completion, then hands over all there are and returns how many; 0
    /// when the time is over. [Duration#ZERO] looks once and does not wait.
    ///
    /// What an interrupt of the waiting thread does is left to what drives the device.
    ///
    /// @throws ClosedException when the queue or its device is closed, also while it waits
    int await(Duration timeout, Consumer<? super Completion> handler);

    /// Asks for one call of the listener when the next completion comes. One that came before this
    /// call does not count: poll once more after arming.
    void arm(Notification kind);

    /// Who is called, once for each [#arm], by the thread that brings the completion, inside the
    /// device: one that drives it, posts or closes. It must not block and must not use the device;
    /// it is there to wake somebody.
    void onNotification(Runnable listener);

    /// Closed before its queue pairs, it lives on until the last of them is closed.
    @Override
    void close();
}
