package dev.verbena.transport.cm;

import org.jspecify.annotations.Nullable;

/// What the machine looks at when its time has come.
abstract class CmTimed {
    /// When that is; the machine's.
    CmMachine.@Nullable Deadline deadline;

    abstract void timedOut();
}
