package example.kv;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LengthFieldPrepender;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The same store over TCP: its program answers both requests.
public final class NettyServer implements AutoCloseable {
    static final byte PUT = 1;
    private final Map<ByteBuffer, byte[]> table = new ConcurrentHashMap<>();
    private final EventLoopGroup threads =
            new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel listening;

    public NettyServer(InetSocketAddress at) {
        listening =
                new ServerBootstrap()
                        .group(threads)
                        .channel(NioServerSocketChannel.class)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childHandler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        channel.pipeline()
                                                .addLast(
                                                        new LengthFieldBasedFrameDecoder(
                                                                4096, 0, 4, 0, 4),
                                                        new LengthFieldPrepender(4),
                                                        new Handler());
                                    }
                                })
                        .bind(at)
                        .syncUninterruptibly()
                        .channel();
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    private final class Handler extends SimpleChannelInboundHandler<ByteBuf> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf request) {
            byte kind = request.readByte();
            byte[] key = new byte[request.readByte()];
            request.readBytes(key);
            ByteBuf reply = context.alloc().buffer();
            if (kind == PUT) {
                byte[] value = new byte[request.readableBytes()];
                request.readBytes(value);
                table.put(ByteBuffer.wrap(key), value);
            } else {
                byte[] value = table.get(ByteBuffer.wrap(key));
                reply.writeBoolean(value != null).writeBytes(value == null ? new byte[0] : value);
            }
            context.writeAndFlush(reply);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    @Override
    public void close() {
        threads.shutdownGracefully().syncUninterruptibly();
    }
}
