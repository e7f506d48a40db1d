package dev.verbena.scenario.run;

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
}
