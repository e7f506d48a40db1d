package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.util.ResourceLeakDetector;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A flush, and the read of its answer, allocate nothing: buffers are Netty's and the program's,
/// and here they are used again.
@SuppressWarnings("FutureReturnValueIgnored") // the peer counts what arrives
@Tag("slow")
class FlushAllocationTest {
    private static final int BYTES = 64;
    private static final int WARM_UP = 20_000;

    /// The rounds of a batch. The least of the batches counts: until the JIT compiler has come to
    /// it, every system call makes a view of the memory for `errno`, of 40 bytes, and Netty one of
    /// its buffer; beside busy programs that takes more than 50,000 rounds. What the code allocates
    /// by itself is in every batch.
    private static final int ROUNDS = 5_000;

    private static final int BATCHES_MAX = 200;

    /// Of a round trip, on the average. An object of any size at each flush, poll or read would be
    /// more.
    private static final double BYTES_MAX = 8;

    /// No object at all: further batches would not be better.
    private static final double NOTHING = 1;

    /// On the busiest machine.
    private static final long LIMIT_S = 120;

    private static final long MEASURED_NS = TimeUnit.SECONDS.toNanos(LIMIT_S) * 3 / 4;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /// Sends the answer back again, and looks at what its thread has allocated meanwhile.
    private static final class PingPong extends ChannelInboundHandlerAdapter {
        private final CompletableFuture<Double> perRound = new CompletableFuture<>();
        private final ByteBuf sent = Unpooled.directBuffer(BYTES);
        private final long startNs = System.nanoTime();
        private int rounds;
        private int missing = BYTES;
        private long before;
        private double least = Double.MAX_VALUE;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            write(context);
        }

        private void write(ChannelHandlerContext context) {
            context.writeAndFlush(sent.retain().setIndex(0, BYTES), context.voidPromise());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            missing -= bytes.readableBytes();
            bytes.release();
            if (missing > 0) {
                return;
            }
            missing = BYTES;
            rounds++;
            if (rounds >= WARM_UP && (rounds - WARM_UP) % ROUNDS == 0 && isOver()) {
                sent.release();
                perRound.complete(least);
            } else {
                write(context);
            }
        }

        /// Ends a batch and begins the next one; returns whether there are enough.
        private boolean isOver() {
            long now = THREADS.getCurrentThreadAllocatedBytes();
            int batches = (rounds - WARM_UP) / ROUNDS;
            if (batches > 0) {
                least = Math.min(least, (double) (now - before) / ROUNDS);
            }
            before = THREADS.getCurrentThreadAllocatedBytes();
            return least < NOTHING
                    || batches == BATCHES_MAX
                    || (batches > 0 && System.nanoTime() - startNs > MEASURED_NS);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            perRound.completeExceptionally(cause);
        }
    }

    @Test
    void aRoundTripAllocatesNothing() throws Exception {
        ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
        // The paranoid detector allocates for each buffer.
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        try {
            double bytes = perRound(RdmaPermutation.group(1), RdmaPermutation.group(1));
            System.out.printf(
                    "FlushAllocationTest: a round trip of %d bytes allocates %.2f bytes%n",
                    BYTES, bytes);
            assertThat(bytes).isLessThan(BYTES_MAX);
        } finally {
            ResourceLeakDetector.setLevel(before);
        }
    }

    private static double perRound(EventLoopGroup servers, EventLoopGroup clients)
            throws Exception {
        try {
            Channel server =
                    TestLoops.channel(
                            new ServerBootstrap()
                                    .group(servers)
                                    .channel(RdmaServerSocketChannel.class)
                                    .childHandler(new EchoHandler())
                                    .bind(RdmaPermutation.address()));
            PingPong pingPong = new PingPong();
            Channel channel =
                    TestLoops.channel(
                            new Bootstrap()
                                    .group(clients)
                                    .channel(RdmaSocketChannel.class)
                                    .handler(pingPong)
                                    .option(ChannelOption.RECVBUF_ALLOCATOR, new OneBuffer(BYTES))
                                    .connect(server.localAddress()));
            double bytes = pingPong.perRound.get(LIMIT_S, TimeUnit.SECONDS);
            TestLoops.finished(channel.close());
            return bytes;
        } finally {
            TestLoops.finished(clients.shutdownGracefully(0, 10, TimeUnit.SECONDS));
            TestLoops.finished(servers.shutdownGracefully(0, 10, TimeUnit.SECONDS));
        }
    }
}
