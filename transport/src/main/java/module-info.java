import org.jspecify.annotations.NullMarked;

/// The InfiniBand transport. Reads no clock, opens no socket, starts no thread and draws no random
/// number of its own: time, packets and randomness are handed in.
@NullMarked
module dev.verbena.transport {
    requires transitive dev.verbena.verbs;
    requires transitive dev.verbena.wire;
    requires static transitive org.jspecify;

    exports dev.verbena.transport;
    exports dev.verbena.transport.carrier;
    exports dev.verbena.transport.control;

    uses dev.verbena.transport.control.ControlProvider;

    provides dev.verbena.verbs.spi.DeviceProvider with
            dev.verbena.transport.LoopbackProvider;
    provides dev.verbena.transport.control.ControlProvider with
            dev.verbena.transport.control.SwiftProvider,
            dev.verbena.transport.control.NsccProvider;
}
