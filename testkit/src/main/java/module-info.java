import org.jspecify.annotations.NullMarked;

/// Tests of programs that use RDMA, by an annotation; and what the proofs of our own modules share:
/// seeds, generators, the planting of bugs, the suite that every provider of devices passes.
@NullMarked
module dev.verbena.testkit {
    requires java.compiler;
    requires org.assertj.core;
    requires org.junit.platform.launcher;
    requires transitive dev.verbena.verbs;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires static transitive org.jspecify;

    exports dev.verbena.testkit;
    exports dev.verbena.testkit.conformance;
    exports dev.verbena.testkit.hostile;
    exports dev.verbena.testkit.junit;
}
