import org.jspecify.annotations.NullMarked;

/// A transport for Netty: channels that look like sockets, over RDMA.
@NullMarked
module dev.verbena.netty {
    requires transitive dev.verbena.stream;
    requires transitive io.netty.transport;
    requires transitive io.netty.buffer;
    requires transitive io.netty.common;
    requires static transitive org.jspecify;

    exports dev.verbena.netty;
}
