import org.jspecify.annotations.NullMarked;

/// All-reduce and its family over verbs. Reads no clock, opens no socket and starts no thread: time
/// is handed in, and the thread that waits drives the work.
@NullMarked
module dev.verbena.collectives {
    requires transitive dev.verbena.verbs;
    requires static transitive org.jspecify;

    exports dev.verbena.collectives;
    exports dev.verbena.collectives.element;
    exports dev.verbena.collectives.link;
    exports dev.verbena.collectives.memory;
    exports dev.verbena.collectives.plan;
    exports dev.verbena.collectives.run;
    exports dev.verbena.collectives.trace;
}
