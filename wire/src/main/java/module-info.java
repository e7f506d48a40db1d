import org.jspecify.annotations.NullMarked;

/// Bytes to meaning and back, for InfiniBand and RoCE: headers, CRCs, management datagrams and
/// captures. Keeps no state between packets and does no I/O beyond the channels it is handed.
@NullMarked
module dev.verbena.wire {
    requires static transitive org.jspecify;

    exports dev.verbena.wire;
    exports dev.verbena.wire.capture;
    exports dev.verbena.wire.mad;
}
