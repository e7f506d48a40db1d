import org.jspecify.annotations.NullMarked;

/// What every module's proofs share: seeds, generators, the planting of bugs.
@NullMarked
module dev.verbena.testkit {
    requires static transitive org.jspecify;

    exports dev.verbena.testkit;
}
