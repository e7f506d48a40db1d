package dev.verbena.transport.carrier;

import java.util.function.BooleanSupplier;

/// Lets several threads use one network in virtual time: the thread that has the baton runs, and
/// all others wait.
///
/// A carrier that is given a baton asks it instead of moving the time itself. As a [Guard] it
/// refuses a thread that does not have the baton; it does not wait for it.
public interface Baton extends Guard {
    /// Hands the baton on until there is a reason to have it again: the wait is over, the deadline
    /// has come, or nothing will ever happen. The time may have passed meanwhile.
    ///
    /// @param isOver whether the thread has its result, or its device was closed; asked only by the
    ///   thread that has the baton
    void await(long deadlineNs, BooleanSupplier isOver);

    /// A poll found nothing: hands the baton on for a little time, unless the time is moving.
    void polled();

    /// A thread that waits may have its result.
    void rouse(Thread waiter);
}
