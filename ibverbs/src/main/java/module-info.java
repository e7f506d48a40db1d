import org.jspecify.annotations.NullMarked;

/// NICs, and what else has a driver in the kernel's RDMA stack, through the system's libibverbs.
@NullMarked
module dev.verbena.ibverbs {
    requires transitive dev.verbena.verbs;
    requires static transitive org.jspecify;

    exports dev.verbena.ibverbs;

    provides dev.verbena.verbs.spi.DeviceProvider with
            dev.verbena.ibverbs.IbvProvider;
}
