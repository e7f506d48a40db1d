package example.lettuce;

import dev.verbena.netty.RdmaSocketChannel;
import io.lettuce.core.ConnectionBuilder;
import io.lettuce.core.ConnectionEvents;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoopGroup;
import java.net.SocketAddress;
import reactor.core.publisher.Mono;

/// A client whose connections go over RDMA to a Valkey server with its RDMA transport. All of
/// Lettuce's commands work as over TCP; `rediss://` does not, since that transport has no TLS.
public final class RdmaRedisClient extends RedisClient {
    private final EventLoopGroup loops;

    /// A client on these loops, which the caller shuts down after it. Their handlers are made with
    /// `RdmaIoHandler.newFactory(device, StreamSettings.VALKEY)`.
    public RdmaRedisClient(RedisURI uri, EventLoopGroup loops) {
        super(null, uri);
        this.loops = loops;
    }

    /// Lettuce's class of channels is fixed, but not the bootstrap that it uses.
    @Override
    protected void connectionBuilder(
            Mono<SocketAddress> address,
            ConnectionBuilder builder,
            ConnectionEvents events,
            RedisURI uri) {
        super.connectionBuilder(address, builder, events, uri);
        builder.bootstrap(new Bootstrap().group(loops).channel(RdmaSocketChannel.class));
    }
}
