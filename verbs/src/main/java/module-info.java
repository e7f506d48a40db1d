import org.jspecify.annotations.NullMarked;

/// RDMA verbs for programs, and in `spi` what a fabric implements to be opened by them.
@NullMarked
module dev.verbena.verbs {
    requires static transitive org.jspecify;

    exports dev.verbena.verbs;
    exports dev.verbena.verbs.spi;

    uses dev.verbena.verbs.spi.DeviceProvider;
}
