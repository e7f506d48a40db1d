package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.stream.StreamSettings;
import dev.verbena.testkit.Wait;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.FixedLengthFrameDecoder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Threads that are not the channel's loop, and servers with several loops.
@SuppressWarnings("FutureReturnValueIgnored") // the peer counts what arrives
class OutsideLoopTest {
    private static final int THREADS = 4;
    private static final int EACH = 3000;
    private static final int FRAME = 24;

    /// Counts frames of several writers, each of which has an order of its own.
    private static final class Frames extends ChannelInboundHandlerAdapter {
        private final int[] next = new int[THREADS];
        private final AtomicInteger right = new AtomicInteger();
        private volatile @Nullable String wrong;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf frame = (ByteBuf) message;
            int writer = frame.readInt();
            int number = frame.readInt();
            if (number == next[writer]++) {
                right.incrementAndGet();
            } else {
                wrong = "writer " + writer + ": frame " + number + " before " + next[writer];
            }
            frame.release();
        }
    }

    @Test
    void eachThreadsWritesKeepTheirOrder() throws Exception {
        try (TestLoops loops = new TestLoops();
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            Frames frames = new Frames();
            Channel channel = loops.connect(loops.listen(), new FixedLengthFrameDecoder(FRAME));
            channel.pipeline().addLast(frames);
            List<Future<?>> writers = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int writer = thread;
                writers.add(threads.submit(() -> write(channel, writer)));
            }
            for (Future<?> writer : writers) {
                writer.get(TestLoops.LIMIT_S, TimeUnit.SECONDS);
            }
            TestLoops.until(
                    "all frames",
                    () -> frames.right.get() == THREADS * EACH || frames.wrong != null);
            assertThat(frames.wrong).isNull();
        }
    }

    private static void write(Channel channel, int writer) {
        for (int i = 0; i < EACH; i++) {
            ByteBuf frame = Unpooled.buffer(FRAME).writeInt(writer).writeInt(i);
            channel.writeAndFlush(
                    frame.writeZero(FRAME - frame.readableBytes()), channel.voidPromise());
        }
    }

    /// A loop without work sleeps for a second, unless a task or a packet ends its sleep.
    @Test
    @Timeout(TestLoops.LIMIT_S)
    void aLoopThatSleepsWakesForEachTask() throws Exception {
        try (TestLoops loops = new TestLoops()) {
            Channel channel = loops.connect(loops.listen(), new NumberedReader());
            for (int i = 0; i < 200; i++) {
                // The loop looks for work for a while before it sleeps.
                Wait.step();
                channel.eventLoop().submit(() -> {}).get(TestLoops.LIMIT_S, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void aServersChannelsAreSpreadOverItsLoops() throws Exception {
        try (TestLoops loops = new TestLoops(3, StreamSettings.DEFAULT)) {
            Channel server = loops.listen();
            Set<Object> used = new HashSet<>();
            List<NumberedReader> readers = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                NumberedReader reader = new NumberedReader();
                readers.add(reader);
                Channel channel = loops.connect(server, reader);
                used.add(loops.accepted().eventLoop());
                channel.writeAndFlush(
                        Numbered.fill(Unpooled.buffer(), 0, 100_000), channel.voidPromise());
            }
            assertThat(used).hasSize(3);
            readers.forEach(reader -> reader.awaitCount(100_000));
        }
    }
}
