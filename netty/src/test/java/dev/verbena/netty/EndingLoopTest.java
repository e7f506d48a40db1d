package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.stream.StreamSettings;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.Device;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Groups that end, and the device that loops share.
class EndingLoopTest {
    @Test
    void deliversWhatItsClosedChannelsHaveWritten() throws Exception {
        try (TestLoops loops = new TestLoops()) {
            NumberedReader reader = new NumberedReader();
            Channel server = loops.listen(() -> reader);
            EventLoopGroup group = RdmaPermutation.group(1);
            Channel channel =
                    TestLoops.channel(
                            new Bootstrap()
                                    .group(group)
                                    .channel(RdmaSocketChannel.class)
                                    .handler(new EchoHandler())
                                    .connect(server.localAddress()));
            Channel peer = loops.accepted();
            TestLoops.finished(peer.eventLoop().submit(() -> peer.config().setAutoRead(false)));
            ChannelFuture write =
                    channel.writeAndFlush(Numbered.fill(Unpooled.buffer(), 0, 250_000));
            // More than half of it waits in the ring of this side, for a peer that does not read.
            TestLoops.finished(write);
            TestLoops.finished(channel.close());
            var end = group.shutdownGracefully(0, TestLoops.LIMIT_S, TimeUnit.SECONDS);
            TestLoops.until("an ending loop", group::isShuttingDown);
            peer.config().setAutoRead(true);
            reader.awaitInactive();
            assertThat(reader.failure()).isNull();
            assertThat(reader.count()).isEqualTo(250_000);
            TestLoops.finished(end);
        }
    }

    /// Netty does not tell a transport to prepare for that.
    @Test
    void closesItsChannelsWhenItsLastTaskEndsIt() throws Exception {
        try (TestLoops loops = new TestLoops()) {
            loops.serving.childOption(ChannelOption.AUTO_READ, false);
            NumberedReader reader = new NumberedReader();
            Channel server = loops.listen(() -> reader);
            EventLoopGroup group =
                    new MultiThreadIoEventLoopGroup(
                            1,
                            RdmaIoHandler.newFactory(
                                    RdmaPermutation.DEVICE,
                                    StreamSettings.DEFAULT.withLinger(Duration.ofSeconds(1))));
            Channel channel =
                    TestLoops.channel(
                            new Bootstrap()
                                    .group(group)
                                    .channel(RdmaSocketChannel.class)
                                    .handler(new EchoHandler())
                                    .connect(server.localAddress()));
            ByteBuf waiting = Numbered.fill(Unpooled.buffer(), 0, 400_000);
            ChannelFuture write = channel.writeAndFlush(waiting);
            TestLoops.finished(channel.eventLoop().submit(() -> end(group)));
            TestLoops.finished(group.terminationFuture());
            assertThat(channel.closeFuture().isDone()).isTrue();
            assertThat(write.isDone()).isTrue();
            assertThat(waiting.refCnt()).isZero();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the test waits for another one
    private static void end(EventLoopGroup group) {
        group.shutdownGracefully(0, 10, TimeUnit.SECONDS);
    }

    @Test
    void theDeviceIsClosedAfterItsLastLoopAndOpenedAgainForTheNext() {
        SharedDevice shared =
                new SharedDevice("roce://" + RdmaPermutation.HOST.replaceFirst("1$", "4"));
        Device first = shared.take();
        assertThat(shared.take()).isSameAs(first);
        shared.giveBack();
        first.protectionDomain().close();
        shared.giveBack();
        assertThatThrownBy(first::protectionDomain).isInstanceOf(ClosedException.class);
        Device second = shared.take();
        second.protectionDomain().close();
        shared.giveBack();
        assertThat(second).isNotSameAs(first);
    }
}
