package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.stream.StreamSettings;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Devices without a thread of their own: a loop that waits moves their packets, and wakes for
/// tasks and for its own channels while another loop of the device waits too.
@SuppressWarnings("FutureReturnValueIgnored") // the readers count what arrives
class DrivingLoopTest {
    private static final int LOOPS = 2;
    private static final int CHANNELS = 4;
    private static final int BYTES = 300_000;
    private static final int PARTS = 100;

    private static EventLoopGroup group(Device device) {
        return new MultiThreadIoEventLoopGroup(
                LOOPS, RdmaIoHandler.newFactory(device, StreamSettings.DEFAULT));
    }

    private static Device open(int number) {
        String host = RdmaPermutation.HOST.replaceFirst("1$", String.valueOf(number));
        return Devices.open("roce://" + host + "?progress=caller");
    }

    @Test
    void loopsThatWaitMoveThePacketsOfTheirDevice() throws Exception {
        try (Device left = open(5);
                Device right = open(6)) {
            EventLoopGroup servers = group(left);
            EventLoopGroup clients = group(right);
            InetSocketAddress any =
                    new InetSocketAddress(left.gids(1).getFirst().toInetAddress(), 0);
            Channel server =
                    TestLoops.channel(
                            new ServerBootstrap()
                                    .group(servers)
                                    .channel(RdmaServerSocketChannel.class)
                                    .childHandler(echo())
                                    .bind(any));
            List<NumberedReader> readers = new ArrayList<>();
            for (int i = 0; i < CHANNELS; i++) {
                NumberedReader reader = new NumberedReader();
                readers.add(reader);
                Channel channel =
                        TestLoops.channel(
                                new Bootstrap()
                                        .group(clients)
                                        .channel(RdmaSocketChannel.class)
                                        .handler(reader)
                                        .connect(server.localAddress()));
                for (int part = 0; part < PARTS; part++) {
                    int from = BYTES / PARTS * part;
                    channel.writeAndFlush(
                            Numbered.fill(Unpooled.buffer(), from, BYTES / PARTS),
                            channel.voidPromise());
                }
            }
            readers.forEach(reader -> reader.awaitCount(BYTES));
            assertThat(readers).allMatch(reader -> reader.failure() == null);
            TestLoops.finished(clients.shutdownGracefully(0, 30, TimeUnit.SECONDS));
            TestLoops.finished(servers.shutdownGracefully(0, 30, TimeUnit.SECONDS));
        }
    }

    private static ChannelInitializer<Channel> echo() {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new EchoHandler());
            }
        };
    }
}
