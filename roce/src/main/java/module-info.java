import org.jspecify.annotations.NullMarked;

/// Devices that speak RoCE v2 on plain UDP sockets: to each other, to the Linux kernel's Soft-RoCE,
/// and to whatever else keeps to the standard.
@NullMarked
module dev.verbena.roce {
    requires transitive dev.verbena.transport;
    requires transitive dev.verbena.verbs;
    requires transitive dev.verbena.wire;
    requires static transitive org.jspecify;
    requires jdk.net;

    exports dev.verbena.roce;

    provides dev.verbena.verbs.spi.DeviceProvider with
            dev.verbena.roce.RoceProvider;
}
