import org.jspecify.annotations.NullMarked;

/// Plans fabrics: from a few inputs and a catalogue to switches, cables, watts, latency and limits.
/// Reads no file and no clock: callers give texts, and get values and texts.
@NullMarked
module dev.verbena.plan {
    requires transitive dev.verbena.fabric;
    requires static transitive org.jspecify;
    requires org.snakeyaml.engine;

    exports dev.verbena.plan;
}
