import org.jspecify.annotations.NullMarked;

/// Simulated InfiniBand and RoCE fabrics on a clock of picoseconds. Reads no clock of the machine,
/// starts no thread, and makes no random number that is not from the seed it was given; the only
/// file it touches is the topology that a URI asks for.
@NullMarked
module dev.verbena.fabric {
    requires transitive dev.verbena.transport;
    requires transitive dev.verbena.verbs;
    requires transitive dev.verbena.wire;
    requires static transitive org.jspecify;

    exports dev.verbena.fabric;
    exports dev.verbena.fabric.manage;

    provides dev.verbena.verbs.spi.DeviceProvider with
            dev.verbena.fabric.FabricProvider;
}
