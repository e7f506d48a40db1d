package example.kv;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LengthFieldPrepender;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Threads may share it; replies come in the order of requests.
public final class NettyClient implements AutoCloseable {
    private final EventLoopGroup threads =
            new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ArrayDeque<CompletableFuture<byte[]>> waiting = new ArrayDeque<>();
    private final Channel channel;

    public NettyClient(InetSocketAddress server) {
        channel =
                new Bootstrap()
                        .group(threads)
                        .channel(NioSocketChannel.class)
                        .option(ChannelOption.TCP_NODELAY, true)
                        .handler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel made) {
                                        made.pipeline()
                                                .addLast(
                                                        new LengthFieldBasedFrameDecoder(
                                                                4096, 0, 4, 0, 4),
                                                        new LengthFieldPrepender(4),
                                                        new Handler());
                                    }
                                })
                        .connect(server)
                        .syncUninterruptibly()
                        .channel();
    }

    private final class Handler extends SimpleChannelInboundHandler<ByteBuf> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf reply) {
            byte[] bytes = new byte[reply.readableBytes()];
            reply.readBytes(bytes);
            next().complete(bytes);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            synchronized (waiting) {
                waiting.forEach(it -> it.completeExceptionally(new IOException("disconnected")));
            }
        }
    }

    private CompletableFuture<byte[]> next() {
        synchronized (waiting) {
            return waiting.remove();
        }
    }

    private byte[] request(byte kind, byte[] key, byte[] value) throws IOException {
        CompletableFuture<byte[]> reply = new CompletableFuture<>();
        ByteBuf request = channel.alloc().buffer().writeByte(kind).writeByte(key.length);
        request.writeBytes(key).writeBytes(value);
        synchronized (waiting) {
            waiting.add(reply);
            channel.writeAndFlush(request);
        }
        try {
            return reply.get(10, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException failure) {
            throw new IOException("no reply", failure);
        }
    }

    public void put(byte[] key, byte[] value) throws IOException {
        request(NettyServer.PUT, key, value);
    }

    public byte[] get(byte[] key) throws IOException {
        byte[] reply = request((byte) 0, key, new byte[0]);
        return reply[0] == 0 ? null : Arrays.copyOfRange(reply, 1, reply.length);
    }

    @Override
    public void close() {
        threads.shutdownGracefully().syncUninterruptibly();
    }
}
