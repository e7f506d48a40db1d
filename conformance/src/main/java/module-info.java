import org.jspecify.annotations.NullMarked;

/// Tests of providers: the suite that every provider of devices passes, programs that misbehave,
/// and bugs planted in a module to show that its tests can fail.
@NullMarked
module dev.verbena.conformance {
    requires java.compiler;
    requires org.assertj.core;
    requires org.junit.platform.launcher;
    requires transitive dev.verbena.testkit;
    requires transitive dev.verbena.verbs;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires static transitive org.jspecify;

    exports dev.verbena.conformance;
    exports dev.verbena.conformance.hostile;
}
