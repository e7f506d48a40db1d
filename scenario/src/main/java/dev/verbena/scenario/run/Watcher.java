package dev.verbena.scenario.run;

import dev.verbena.fabric.Fabric;

/// Hears how far a run is, and may end it early.
public interface Watcher {
    /// Hears nothing.
    Watcher NONE = (what, share) -> true;

    /// Is called now and then.
    ///
    /// @param what words for what runs
    /// @param share of the work that is done, 0 to 1
    /// @return whether to go on; false gives what is known so far
    boolean goOn(String what, double share);

    /// Is called before that with the fabric of a run packet by packet, and once more at its end.
    /// It may read counters and changes nothing.
    default void look(String what, Fabric fabric, boolean isLast) {}
}
