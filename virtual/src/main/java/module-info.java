import org.jspecify.annotations.NullMarked;

/// Devices on a network inside one process, for tests: whole RoCE v2 frames, virtual time, faults
/// by seed. Reads no clock and starts no thread; the only file it touches is the capture that it
/// was asked for.
@NullMarked
module dev.verbena.virtual {
    requires transitive dev.verbena.transport;
    requires transitive dev.verbena.verbs;
    requires transitive dev.verbena.wire;
    requires static transitive org.jspecify;

    exports dev.verbena.virtual;

    provides dev.verbena.verbs.spi.DeviceProvider with
            dev.verbena.virtual.VirtualProvider;
}
