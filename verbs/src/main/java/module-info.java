import org.jspecify.annotations.NullMarked;

/// RDMA verbs for programs, in `spi` what a fabric implements to be opened by them, and in `baton`
/// the order of threads that take turns in virtual time.
@NullMarked
module dev.verbena.verbs {
    requires static transitive org.jspecify;

    exports dev.verbena.verbs;
    exports dev.verbena.verbs.baton;
    exports dev.verbena.verbs.spi;

    uses dev.verbena.verbs.spi.DeviceProvider;
}
