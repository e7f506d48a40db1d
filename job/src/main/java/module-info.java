import org.jspecify.annotations.NullMarked;

/// Jobs on simulated fabrics: collective operations of many ranks, packet by packet or as flows,
/// and traces of such jobs. Reads no clock, starts no thread, and opens no file.
@NullMarked
module dev.verbena.job {
    requires transitive dev.verbena.collectives;
    requires transitive dev.verbena.fabric;
    requires transitive dev.verbena.verbs;
    requires static transitive org.jspecify;

    exports dev.verbena.job;
    exports dev.verbena.job.chakra;
    exports dev.verbena.job.eyes;
    exports dev.verbena.job.flow;
    exports dev.verbena.job.goal;
    exports dev.verbena.job.replay;
}
