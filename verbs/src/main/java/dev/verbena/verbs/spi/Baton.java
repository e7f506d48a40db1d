package dev.verbena.verbs.spi;

import java.util.function.BooleanSupplier;

/// Lets several threads use one network in virtual time: the thread that has the baton runs, and
/// all others wait.
///
/// A network that is given a baton, see [VirtualTime#pass], asks it instead of moving the time
/// itself.
public interface Baton {
    /// Refuses a thread that does not have the baton; it does not wait for it. Called at the begin
    /// of each call of a device.
    ///
    /// @throws dev.verbena.verbs.WrongStateException when another thread has it
    void require();

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
