import org.jspecify.annotations.NullMarked;

/// Runs programs on a simulated fabric: each on a thread of its own, of which one runs at a time,
/// in virtual time.
@NullMarked
module dev.verbena.simulation {
    requires transitive dev.verbena.fabric;
    requires transitive dev.verbena.verbs;
    requires static transitive org.jspecify;

    exports dev.verbena.simulation;
}
