package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.stream.StreamSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Each buffer is released once, at whatever stage a channel ends: an allocator counts the bytes
/// that are not given back, and Netty's leak detector looks for lost buffers.
@SuppressWarnings("FutureReturnValueIgnored") // the peer counts what arrives
@Timeout(120)
class LeakTest {
    private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
    private final LeakWatch watch = new LeakWatch();
    private final TestLoops loops =
            new TestLoops(1, StreamSettings.DEFAULT.withLinger(Duration.ofSeconds(1)));

    LeakTest() {
        loops.connecting.option(ChannelOption.ALLOCATOR, buffers);
        loops.serving.option(ChannelOption.ALLOCATOR, buffers);
        loops.serving.childOption(ChannelOption.ALLOCATOR, buffers);
    }

    @AfterEach
    void everyBufferWasReleasedOnce() {
        loops.close();
        assertThat(buffers.metric().usedDirectMemory()).as("direct bytes in use").isZero();
        assertThat(buffers.metric().usedHeapMemory()).as("heap bytes in use").isZero();
        assertThat(watch.reports()).isEmpty();
        watch.close();
    }

    private ByteBuf bytes(int count) {
        return Numbered.fill(buffers.buffer(count), 0, count);
    }

    /// Fills both rings and the outbound buffer; returns the last write.
    private ChannelFuture fill(Channel channel) {
        ChannelFuture last = channel.newSucceededFuture();
        for (int i = 0; i < 60; i++) {
            last = channel.write(bytes(10_000));
        }
        channel.flush();
        return last;
    }

    @Test
    void afterAnEcho() {
        NumberedReader reader = new NumberedReader();
        Channel channel = loops.connect(loops.listen(), reader);
        TestLoops.finished(channel.writeAndFlush(bytes(300_000)));
        reader.awaitCount(300_000);
        TestLoops.finished(channel.close());
    }

    @Test
    void withUnsentDataWhenItIsClosed() throws Exception {
        loops.serving.childOption(ChannelOption.AUTO_READ, false);
        Channel channel = loops.connect(loops.listen(), new NumberedReader());
        ChannelFuture last = fill(channel);
        channel.write(bytes(10));
        TestLoops.finished(channel.close());
        TestLoops.failed(last);
        TestLoops.finished(loops.accepted().close());
    }

    @Test
    void withUnsentDataAndAResetInPlaceOfAFarewell() throws Exception {
        loops.serving.childOption(ChannelOption.AUTO_READ, false);
        loops.connecting.option(ChannelOption.SO_LINGER, 0);
        Channel channel = loops.connect(loops.listen(), new NumberedReader());
        TestLoops.failed(closedAfter(channel, fill(channel)));
        TestLoops.finished(loops.accepted().close());
    }

    private static ChannelFuture closedAfter(Channel channel, ChannelFuture last) {
        TestLoops.finished(channel.close());
        return last;
    }

    @Test
    void withBytesThatWaitToBeRead() throws Exception {
        loops.serving.childOption(ChannelOption.AUTO_READ, false);
        Channel channel = loops.connect(loops.listen(), new NumberedReader());
        TestLoops.finished(channel.writeAndFlush(bytes(100_000)));
        Channel peer = loops.accepted();
        peer.read();
        TestLoops.finished(peer.close());
        TestLoops.finished(channel.closeFuture());
    }

    @Test
    void whenThePeerEndsWhileDataWaits() throws Exception {
        loops.serving.childOption(ChannelOption.AUTO_READ, false);
        Channel channel = loops.connect(loops.listen(), new NumberedReader());
        ChannelFuture last = fill(channel);
        TestLoops.finished(loops.accepted().close());
        TestLoops.failed(last);
        TestLoops.finished(channel.closeFuture());
    }

    @Test
    void whenThePeerIsKilledWhileDataWaits() throws Exception {
        loops.serving.childOption(ChannelOption.AUTO_READ, false);
        Channel server = loops.listen(NumberedReader::new);
        try (PeerProcess peer = new PeerProcess((InetSocketAddress) server.localAddress())) {
            Channel channel = loops.accepted();
            ChannelFuture last = fill(channel);
            peer.kill();
            TestLoops.failed(last);
            TestLoops.finished(channel.closeFuture());
        }
    }

    @Test
    void beforeAConnectionIsMade() {
        loops.serving.option(ChannelOption.AUTO_READ, false);
        ChannelFuture connect =
                loops.connecting
                        .clone()
                        .handler(new EchoHandler())
                        .connect(loops.listen().localAddress());
        ChannelFuture early = connect.channel().writeAndFlush(bytes(1000));
        TestLoops.finished(connect.channel().close());
        TestLoops.failed(early);
        TestLoops.failed(connect);
    }

    @Test
    void whenItsLoopEndsWhileDataWaits() {
        loops.serving.childOption(ChannelOption.AUTO_READ, false);
        fill(loops.connect(loops.listen(), new NumberedReader()));
    }
}
