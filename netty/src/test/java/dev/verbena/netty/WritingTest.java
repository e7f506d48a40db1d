package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultFileRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is written arrives once, whole and in order, whatever it is written from.
@SuppressWarnings("FutureReturnValueIgnored") // the peer counts what arrives
class WritingTest {
    private static final int RING = 1 << 17;

    @Test
    void buffersOfAllKindsArriveInTheOrderOfTheirWrites() {
        try (TestLoops loops = new TestLoops()) {
            NumberedReader reader = new NumberedReader();
            Channel channel = loops.connect(loops.listen(), reader);
            long end = 0;
            ChannelFuture last = channel.newSucceededFuture();
            for (int round = 0; round < 200; round++) {
                for (ByteBuf empty : kinds(1 + round * 37)) {
                    int count = empty.readableBytes();
                    last = channel.write(filled(empty, Numbered.bytes(end, count)));
                    end += count;
                }
                channel.flush();
            }
            TestLoops.finished(last);
            reader.awaitCount(end);
        }
    }

    /// Buffers of one size, as programs have them.
    private static List<ByteBuf> kinds(int size) {
        CompositeByteBuf composite = Unpooled.compositeBuffer(64);
        for (int i = 0; i < 20; i++) {
            composite.addComponent(
                    true, i % 2 == 0 ? Unpooled.buffer(size).writeZero(size) : direct(size));
        }
        return List.of(
                Unpooled.buffer(size).writeZero(size),
                direct(size),
                composite,
                Unpooled.EMPTY_BUFFER,
                direct(size + 9).skipBytes(9),
                Unpooled.wrappedBuffer(ByteBuffer.allocate(size)));
    }

    private static ByteBuf direct(int size) {
        return Unpooled.directBuffer(size).writeZero(size);
    }

    private static ByteBuf filled(ByteBuf buffer, byte[] bytes) {
        if (bytes.length > 0) {
            buffer.setBytes(buffer.readerIndex(), bytes);
        }
        return buffer.isDirect() ? buffer : buffer.asReadOnly();
    }

    @Test
    void aFutureOfEachWriteSucceedsOnceItsBytesHaveLeft() {
        try (TestLoops loops = new TestLoops()) {
            NumberedReader reader = new NumberedReader();
            Channel channel = loops.connect(loops.listen(), reader);
            List<ChannelFuture> writes = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                writes.add(channel.write(Numbered.fill(Unpooled.buffer(), i * 1000L, 1000)));
            }
            channel.flush();
            writes.forEach(TestLoops::finished);
            reader.awaitCount(500_000);
        }
    }

    @Test
    void aCloseFailsWhatIsStillInTheOutboundBuffer() throws Exception {
        try (TestLoops loops = new TestLoops()) {
            NumberedReader reader = new NumberedReader();
            loops.serving.childOption(ChannelOption.AUTO_READ, false);
            Channel server = loops.listen(() -> reader);
            Channel channel = loops.connect(server, new ChannelInboundHandlerAdapter());
            Channel peer = loops.accepted();
            List<ChannelFuture> writes = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                writes.add(
                        channel.writeAndFlush(
                                Numbered.fill(Unpooled.buffer(), i * 10_000L, 10_000)));
            }
            TestLoops.until("full rings", () -> !channel.isWritable());
            TestLoops.finished(channel.close());
            long whole = writes.stream().filter(ChannelFuture::isSuccess).count();
            assertThat(writes).allMatch(ChannelFuture::isDone);
            assertThat(TestLoops.failed(writes.getLast()))
                    .isInstanceOf(ClosedChannelException.class);
            // What has left the buffer is delivered by the linger time of a close.
            TestLoops.finished(peer.eventLoop().submit(() -> peer.config().setAutoRead(true)));
            reader.awaitInactive();
            assertThat(reader.failure()).isNull();
            assertThat(reader.count()).isBetween(whole * 10_000, whole * 10_000 + 9_999);
            assertThat(whole).isGreaterThanOrEqualTo(RING / 10_000);
        }
    }

    @Test
    void aPartOfAFileArrivesThoughItIsLargerThanTheRings(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("whole");
        Files.write(file, Numbered.bytes(-1000, 1_000_000));
        try (TestLoops loops = new TestLoops()) {
            NumberedReader reader = new NumberedReader();
            Channel channel = loops.connect(loops.listen(() -> reader), new EchoHandler());
            DefaultFileRegion region = new DefaultFileRegion(file.toFile(), 1000, 900_000);
            TestLoops.finished(channel.writeAndFlush(region));
            reader.awaitCount(900_000);
            assertThat(region.refCnt()).isZero();
        }
    }

    @Test
    void aFileThatEndsEarlyFailsItsWriteAndEndsTheChannel(@TempDir Path directory)
            throws Exception {
        Path file = directory.resolve("short");
        Files.write(file, Numbered.bytes(0, 300_000));
        try (TestLoops loops = new TestLoops()) {
            NumberedReader reader = new NumberedReader();
            Channel channel = loops.connect(loops.listen(() -> reader), new EchoHandler());
            DefaultFileRegion region = new DefaultFileRegion(file.toFile(), 0, 300_001);
            assertThat(TestLoops.failed(channel.writeAndFlush(region)))
                    .isInstanceOf(IOException.class);
            reader.awaitInactive();
            assertThat(reader.count()).isEqualTo(300_000);
            assertThat(region.refCnt()).isZero();
            TestLoops.finished(channel.closeFuture());
        }
    }
}
