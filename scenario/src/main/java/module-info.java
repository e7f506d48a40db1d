import org.jspecify.annotations.NullMarked;

/// Scenarios of simulated fabrics: reads them from YAML, runs them, and reports what happened.
/// Opens no file and reads no clock of the machine: callers give texts and get texts.
@NullMarked
module dev.verbena.scenario {
    requires com.networknt.schema;
    requires transitive dev.verbena.collectives;
    requires transitive dev.verbena.fabric;
    requires transitive dev.verbena.job;
    requires dev.verbena.plan;
    requires static transitive org.jspecify;
    requires tools.jackson.core;
    requires transitive tools.jackson.databind;
    requires tools.jackson.dataformat.yaml;

    exports dev.verbena.scenario;
    exports dev.verbena.scenario.compare;
    exports dev.verbena.scenario.read;
    exports dev.verbena.scenario.report;
    exports dev.verbena.scenario.run;
    exports dev.verbena.scenario.sweep;
}
