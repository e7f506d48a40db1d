package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.stream.StreamSettings;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// An echo between two processes in two network namespaces, which `.ci/netty-namespaces` makes,
/// with packets lost on both sides. Every byte is compared, and the longest time in which none
/// arrived is printed.
@EnabledIfSystemProperty(named = "namespace.peer", matches = ".+")
@Timeout(240)
class TwoNamespacesTest {
    private static final long BYTES = 8L << 20;
    private static final int PIECE = 16 << 10;
    private static final long LIMIT_S = 200;

    /// The name of the other namespace.
    private static final String PEER = System.getProperty("namespace.peer", "");

    private static final String HERE = System.getProperty("namespace.here", "");
    private static final String THERE = System.getProperty("namespace.there", "");
    private static final String LOSS = System.getProperty("loss", "0.02");
    private static final long SEED = Long.getLong("seed", 1);

    /// Writes what the peer sends back, and looks at the times of what it reads.
    @SuppressWarnings("FutureReturnValueIgnored") // a void promise has no result
    private static final class Talk extends ChannelInboundHandlerAdapter {
        private long written;
        private long lastNs;
        private volatile long longestNs;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            write(context);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            write(context);
        }

        private void write(ChannelHandlerContext context) {
            while (context.channel().isWritable() && written < BYTES) {
                ByteBuf piece = Numbered.fill(context.alloc().buffer(PIECE), written, PIECE);
                written += PIECE;
                context.write(piece, context.voidPromise());
            }
            context.flush();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            long nowNs = System.nanoTime();
            // The first bytes wait for a peer that has just started.
            if (lastNs != 0) {
                longestNs = Math.max(longestNs, nowNs - lastNs);
            }
            lastNs = nowNs;
            context.fireChannelRead(message);
        }
    }

    @Test
    void everyByteComesBack() throws Exception {
        NumberedReader reader = new NumberedReader();
        Talk talk = new Talk();
        try (Device device = Devices.open("roce://%s?loss=%s,%d".formatted(HERE, LOSS, SEED))) {
            EventLoopGroup loops =
                    new MultiThreadIoEventLoopGroup(
                            1, RdmaIoHandler.newFactory(device, StreamSettings.DEFAULT));
            Channel server =
                    TestLoops.channel(
                            new ServerBootstrap()
                                    .group(loops)
                                    .channel(RdmaServerSocketChannel.class)
                                    .childHandler(
                                            new ChannelInitializer<SocketChannel>() {
                                                @Override
                                                protected void initChannel(SocketChannel channel) {
                                                    channel.pipeline().addLast(talk, reader);
                                                }
                                            })
                                    .bind(new InetSocketAddress(HERE, 0)));
            try (PeerProcess peer =
                    new PeerProcess(
                            List.of("ip", "netns", "exec", PEER),
                            "%s?loss=%s,%d".formatted(THERE, LOSS, SEED + 1),
                            (InetSocketAddress) server.localAddress())) {
                reader.awaitCount(BYTES, LIMIT_S);
                peer.kill();
            }
            TestLoops.finished(loops.shutdownGracefully(0, 10, TimeUnit.SECONDS));
            assertThat(device.counters().getOrDefault("socket_rx_lost_on_purpose", 0L))
                    .isPositive();
        }
        System.out.printf(
                "two namespaces, loss %s, seed %d: %,d bytes there and back, longest between two"
                        + " reads %.1f ms%n",
                LOSS, SEED, BYTES, talk.longestNs / 1e6);
    }
}
