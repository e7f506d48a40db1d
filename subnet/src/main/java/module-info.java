import org.jspecify.annotations.NullMarked;

/// A subnet manager for InfiniBand. Reads no clock, starts no thread, and opens no socket: time and
/// datagrams are handed in, and datagrams are taken out.
@NullMarked
module dev.verbena.subnet {
    requires transitive dev.verbena.wire;
    requires static transitive org.jspecify;

    exports dev.verbena.subnet;
    exports dev.verbena.subnet.state;
}
