import org.jspecify.annotations.NullMarked;

/// Tests of programs that use RDMA, by an annotation, with the seeds and random choices of a test.
/// Providers of devices find their suite in `dev.verbena.conformance`.
@NullMarked
module dev.verbena.testkit {
    requires transitive dev.verbena.verbs;
    requires transitive org.junit.jupiter.api;
    requires static transitive org.jspecify;

    exports dev.verbena.testkit;
    exports dev.verbena.testkit.junit;
}
