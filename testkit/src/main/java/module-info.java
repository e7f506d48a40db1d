import org.jspecify.annotations.NullMarked;

/// What every module's proofs share: seeds, generators, the planting of bugs.
@NullMarked
module dev.verbena.testkit {
    requires java.compiler;
    requires org.junit.platform.launcher;
    requires static transitive org.jspecify;

    exports dev.verbena.testkit;
}
