package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.stream.StreamSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// A reader that does not read bounds what its peer keeps for it.
@SuppressWarnings("FutureReturnValueIgnored") // the peer counts what arrives
class SlowReaderTest {
    private static final int RING = 1 << 15;
    private static final int LOW = 16 << 10;
    private static final int HIGH = 48 << 10;
    private static final int PIECE = 1000;

    /// What Netty counts for an entry of its buffer beside the bytes.
    private static final int OVERHEAD = 96;

    private static final int ROUNDS = 100;

    private final StreamSettings settings =
            StreamSettings.DEFAULT.withSendBytes(RING).withReceiveBytes(RING);

    /// Writes as long as the channel is writable, as a program should.
    private static final class PoliteWriter extends ChannelInboundHandlerAdapter {
        private final long total;
        private final AtomicLong written = new AtomicLong();
        private final AtomicInteger changes = new AtomicInteger();

        PoliteWriter(long total) {
            this.total = total;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            write(context);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            changes.incrementAndGet();
            write(context);
        }

        private void write(ChannelHandlerContext context) {
            while (context.channel().isWritable() && written.get() < total) {
                int count = (int) Math.min(PIECE, total - written.get());
                ByteBuf piece = Numbered.fill(context.alloc().buffer(count), written.get(), count);
                written.addAndGet(count);
                context.writeAndFlush(piece, context.voidPromise());
            }
        }
    }

    @Test
    void theWriterStopsAtTheHighWaterMarkAndGoesOnWhenTheReaderDoes() throws Exception {
        try (TestLoops loops = new TestLoops(1, settings)) {
            loops.serving.childOption(ChannelOption.AUTO_READ, false);
            loops.connecting.option(
                    ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(LOW, HIGH));
            long total = 20L * (2 * RING + HIGH);
            NumberedReader reader = new NumberedReader();
            PoliteWriter writer = new PoliteWriter(total);
            Channel channel = loops.connect(loops.listen(() -> reader), writer);
            TestLoops.until("a channel that is not writable", () -> !channel.isWritable());
            Channel peer = loops.accepted();
            awaitStandstill(channel, writer);
            assertThat(writer.written.get()).isBetween(2L * RING, 2L * RING + HIGH + PIECE);
            assertThat(pending(channel)).isBetween((long) LOW, (long) HIGH + PIECE + OVERHEAD);
            assertThat(channel.isWritable()).isFalse();
            assertThat(reader.count()).isZero();
            peer.config().setAutoRead(true);
            reader.awaitCount(total);
            assertThat(writer.changes.get()).isGreaterThan(2);
            TestLoops.until("an empty buffer", () -> pending(channel) == 0);
            assertThat(channel.isWritable()).isTrue();
        }
    }

    /// Returns when many rounds of the loop have moved nothing.
    private static void awaitStandstill(Channel channel, PoliteWriter writer) {
        long before = -1;
        for (int same = 0; same < ROUNDS; same++) {
            TestLoops.finished(channel.eventLoop().schedule(() -> {}, 1, TimeUnit.MILLISECONDS));
            long now = writer.written.get();
            same = now == before ? same : 0;
            before = now;
        }
    }

    private static long pending(Channel channel) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    @Test
    void aReadIsOneBufferWhenTheProgramAsksForEach() throws Exception {
        try (TestLoops loops = new TestLoops(1, settings)) {
            loops.serving.childOption(ChannelOption.AUTO_READ, false);
            loops.serving.childOption(
                    ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(1000));
            NumberedReader reader = new NumberedReader();
            Channel channel = loops.connect(loops.listen(() -> reader), new EchoHandler());
            TestLoops.finished(channel.writeAndFlush(Numbered.fill(Unpooled.buffer(), 0, 20_000)));
            Channel peer = loops.accepted();
            for (int read = 1; read <= 10; read++) {
                peer.read();
                reader.awaitCount(read * 1000L);
                TestLoops.finished(peer.eventLoop().submit(() -> {}));
                assertThat(reader.count()).isEqualTo(read * 1000L);
            }
        }
    }

    @Test
    void aReaderThatSwitchesAutoReadOffReadsNoMore() throws Exception {
        try (TestLoops loops = new TestLoops(1, settings)) {
            NumberedReader reader = new NumberedReader();
            Channel channel = loops.connect(loops.listen(() -> reader), new EchoHandler());
            Channel peer = loops.accepted();
            TestLoops.finished(channel.writeAndFlush(Numbered.fill(Unpooled.buffer(), 0, PIECE)));
            reader.awaitCount(PIECE);
            TestLoops.finished(peer.eventLoop().submit(() -> peer.config().setAutoRead(false)));
            TestLoops.finished(
                    channel.writeAndFlush(Numbered.fill(Unpooled.buffer(), PIECE, RING)));
            for (int round = 0; round < ROUNDS; round++) {
                TestLoops.finished(peer.eventLoop().schedule(() -> {}, 1, TimeUnit.MILLISECONDS));
            }
            assertThat(reader.count()).isEqualTo(PIECE);
            peer.config().setAutoRead(true);
            reader.awaitCount(PIECE + RING);
        }
    }
}
