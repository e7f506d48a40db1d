package dev.verbena.benchmarks.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Arrays;

/// Sends 64 bytes, waits for them, and begins again.
@SuppressWarnings("FutureReturnValueIgnored") // the echo is waited for
final class EchoClient extends ChannelInboundHandlerAdapter {
    private static final int BYTES = 64;

    /// Round trips of all clients of one loop, which alone writes here.
    static final class Samples {
        private static final int KEPT = 1 << 21;

        private final long[] kept = new long[KEPT];
        private volatile boolean isMeasuring;
        private volatile int keptCount;
        private volatile long count;

        @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
        void add(long ns) {
            count++;
            if (isMeasuring && keptCount < KEPT) {
                kept[keptCount] = ns;
                keptCount++;
            }
        }

        void begin() {
            isMeasuring = true;
        }

        long count() {
            return count;
        }

        double percentileUs(int percent) {
            int end = keptCount;
            if (end == 0) {
                throw new IllegalStateException("no round trip was measured");
            }
            long[] sorted = Arrays.copyOf(kept, end);
            Arrays.sort(sorted);
            return sorted[(int) ((long) (end - 1) * percent / 100)] / 1e3;
        }
    }

    private final Samples samples;
    private int missing;
    private long sentNs;

    EchoClient(Samples samples) {
        this.samples = samples;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        send(context);
    }

    private void send(ChannelHandlerContext context) {
        missing = BYTES;
        sentNs = System.nanoTime();
        ByteBuf bytes = context.alloc().directBuffer(BYTES).writeZero(BYTES);
        context.writeAndFlush(bytes, context.voidPromise());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        missing -= bytes.readableBytes();
        bytes.release();
        if (missing == 0) {
            samples.add(System.nanoTime() - sentNs);
            send(context);
        }
    }
}
