package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.stream.StreamSettings;
import dev.verbena.testkit.Wait;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// A server and channels to it, on the device of the suite, with loops of their own.
final class TestLoops implements AutoCloseable {
    static final long LIMIT_S = 30;

    /// The bootstraps, for a test that sets options.
    final ServerBootstrap serving;

    final Bootstrap connecting;
    private final EventLoopGroup servers;
    private final EventLoopGroup clients;
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    private Supplier<ChannelHandler> ofAccepted = EchoHandler::new;

    TestLoops() {
        this(1, StreamSettings.DEFAULT);
    }

    TestLoops(int serverLoops, StreamSettings settings) {
        servers = group(serverLoops, settings);
        clients = group(1, settings);
        serving =
                new ServerBootstrap()
                        .group(servers)
                        .channel(RdmaServerSocketChannel.class)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        channel.pipeline().addLast(ofAccepted.get());
                                        accepted.add(channel);
                                    }
                                });
        connecting = new Bootstrap().group(clients).channel(RdmaSocketChannel.class);
    }

    private static EventLoopGroup group(int loops, StreamSettings settings) {
        return new MultiThreadIoEventLoopGroup(
                loops, RdmaIoHandler.newFactory(RdmaPermutation.DEVICE, settings));
    }

    /// Binds a server; each channel that it accepts gets a handler, an echo unless another is
    /// given.
    Channel listen() {
        return channel(serving.bind(RdmaPermutation.address()));
    }

    Channel listen(Supplier<ChannelHandler> handlers) {
        ofAccepted = handlers;
        return listen();
    }

    Channel connect(Channel server, ChannelHandler handler) {
        return connect(server.localAddress(), handler);
    }

    private Channel connect(SocketAddress to, ChannelHandler handler) {
        return channel(connecting.clone().handler(handler).connect(to));
    }

    /// The next channel that the server accepted.
    Channel accepted() throws InterruptedException {
        Channel next = accepted.poll(LIMIT_S, TimeUnit.SECONDS);
        return Objects.requireNonNull(next, "no channel was accepted");
    }

    /// How many channels the server has accepted that no test has taken, and that are open.
    long acceptedNow() {
        return accepted.stream().filter(Channel::isActive).count();
    }

    /// Waits until it is done, and requires that it succeeded.
    static void finished(Future<?> future) {
        assertThat(future.awaitUninterruptibly(LIMIT_S, TimeUnit.SECONDS)).isTrue();
        if (future.cause() != null) {
            throw new AssertionError(future.cause());
        }
    }

    /// The channel of a bind or a connect that succeeds.
    static Channel channel(ChannelFuture future) {
        finished(future);
        return future.channel();
    }

    /// Waits until it is done, and requires that it failed.
    static Throwable failed(Future<?> future) {
        assertThat(future.awaitUninterruptibly(LIMIT_S, TimeUnit.SECONDS)).isTrue();
        return Objects.requireNonNull(future.cause(), "it succeeded");
    }

    static void until(String what, BooleanSupplier isSo) {
        Wait.until(what, Duration.ofSeconds(LIMIT_S), isSo);
    }

    @Override
    public void close() {
        finished(clients.shutdownGracefully(0, LIMIT_S, TimeUnit.SECONDS));
        finished(servers.shutdownGracefully(0, LIMIT_S, TimeUnit.SECONDS));
    }
}
