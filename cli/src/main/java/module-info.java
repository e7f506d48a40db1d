import org.jspecify.annotations.NullMarked;

/// The `verbena` command: tools for people who build, watch and debug RDMA fabrics.
@NullMarked
module dev.verbena.cli {
    requires com.fasterxml.jackson.core;
    requires dev.verbena.collectives;
    requires dev.verbena.fabric;
    requires dev.verbena.ibverbs;
    requires dev.verbena.job;
    requires dev.verbena.lint;
    requires dev.verbena.plan;
    requires dev.verbena.scenario;
    requires dev.verbena.subnet;
    requires dev.verbena.verbs;
    requires dev.verbena.wire;
    requires HdrHistogram;
    requires info.picocli;
    requires java.management;
    requires jdk.httpserver;
    requires jdk.net;
    requires jdk.unsupported;
    requires static org.jspecify;

    // picocli fills the option fields by reflection.
    opens dev.verbena.cli to
            info.picocli;
    opens dev.verbena.cli.doctor to
            info.picocli;
    opens dev.verbena.cli.explain to
            info.picocli;
    opens dev.verbena.cli.lint to
            info.picocli;
    opens dev.verbena.cli.plan to
            info.picocli;
    opens dev.verbena.cli.scenario to
            info.picocli;
}
