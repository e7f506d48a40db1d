package dev.verbena.transport.cm;

import org.jspecify.annotations.Nullable;

/// An object with a deadline that the machine checks.
abstract class CmTimed {
    /// When that is; the machine's.
    CmMachine.@Nullable Deadline deadline;

    abstract void timedOut();
}
