package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.util.CharsetUtil;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An accepted channel before its connection is established.
@Timeout(60)
class AcceptedChannelTest {
    @Test
    void whatIsWrittenBeforeTheConnectionIsEstablishedArrives() throws Exception {
        CompletableFuture<ChannelFuture> greeting = new CompletableFuture<>();
        CompletableFuture<String> arrived = new CompletableFuture<>();
        Channel server =
                new ServerBootstrap()
                        .group(RdmaPermutation.SERVERS)
                        .channel(RdmaServerSocketChannel.class)
                        .childHandler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel accepted) {
                                        ByteBuf hello = accepted.alloc().buffer();
                                        hello.writeCharSequence("hello", CharsetUtil.US_ASCII);
                                        greeting.complete(accepted.writeAndFlush(hello));
                                    }
                                })
                        .bind(RdmaPermutation.address())
                        .sync()
                        .channel();
        Channel client =
                new Bootstrap()
                        .group(RdmaPermutation.CLIENTS)
                        .channel(RdmaSocketChannel.class)
                        .handler(
                                new SimpleChannelInboundHandler<ByteBuf>() {
                                    @Override
                                    protected void channelRead0(
                                            ChannelHandlerContext context, ByteBuf bytes) {
                                        arrived.complete(bytes.toString(CharsetUtil.US_ASCII));
                                    }
                                })
                        .connect(server.localAddress())
                        .sync()
                        .channel();

        assertThat(greeting.get(30, TimeUnit.SECONDS).await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(greeting.get().cause()).isNull();
        assertThat(arrived.get(30, TimeUnit.SECONDS)).isEqualTo("hello");
        client.close().sync();
        server.close().sync();
    }
}
