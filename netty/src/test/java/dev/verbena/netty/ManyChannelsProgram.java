package dev.verbena.netty;

import dev.verbena.stream.StreamSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// Opens many channels in a JVM of its own, has each echo, and prints what they cost.
@SuppressWarnings("FutureReturnValueIgnored") // the echo is counted
final class ManyChannelsProgram {
    static final String RESULT = "many channels: ";

    private static final int WAVE = 50;
    private static final int BYTES = 64;
    private static final int FIRST = 500;

    @ChannelHandler.Sharable
    private static final class Counter extends SimpleChannelInboundHandler<ByteBuf> {
        private final AtomicLong bytes = new AtomicLong();

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
            bytes.addAndGet(message.readableBytes());
        }
    }

    /// Memory of this process, in bytes. The heap is resident from the beginning
    /// (`AlwaysPreTouch`), so that what comes later is native.
    private record Memory(long heap, long resident) {
        static Memory now() throws IOException {
            System.gc();
            long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            return new Memory(heap, readResident());
        }

        static long readResident() throws IOException {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("RssAnon:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) << 10;
                }
            }
            throw new IOException("/proc/self/status has no RssAnon");
        }
    }

    private ManyChannelsProgram() {}

    /// Takes the number of connections, each of which is two channels.
    public static void main(String[] arguments) throws Exception {
        int connections = Integer.parseInt(arguments[0]);
        Counter counter = new Counter();
        List<Channel> channels = new ArrayList<>();
        try (TestLoops loops = new TestLoops(2, StreamSettings.DEFAULT)) {
            Channel server = loops.listen();
            open(loops, server, counter, channels, FIRST);
            Memory before = Memory.now();
            open(loops, server, counter, channels, connections);
            Memory after = Memory.now();
            long more = 2L * (connections - FIRST);
            System.out.printf(
                    "%s%d open, %d echoed, heap %d, native %d bytes each%n",
                    RESULT,
                    channels.stream().filter(Channel::isActive).count() + loops.acceptedNow(),
                    counter.bytes.get() / BYTES,
                    (after.heap - before.heap) / more,
                    (after.resident - before.resident) / more);
            for (Channel channel : channels) {
                channel.close();
            }
            for (Channel channel : channels) {
                TestLoops.finished(channel.closeFuture());
            }
        }
        System.exit(0);
    }

    private static void open(
            TestLoops loops, Channel server, Counter counter, List<Channel> channels, int most) {
        while (channels.size() < most) {
            List<ChannelFuture> wave = new ArrayList<>();
            for (int i = 0; i < WAVE; i++) {
                wave.add(loops.connecting.clone().handler(counter).connect(server.localAddress()));
            }
            for (ChannelFuture connect : wave) {
                Channel channel = TestLoops.channel(connect);
                channels.add(channel);
                channel.writeAndFlush(
                        Unpooled.buffer(BYTES).writeZero(BYTES), channel.voidPromise());
            }
            TestLoops.until(
                    "each echo", () -> counter.bytes.get() == (long) channels.size() * BYTES);
        }
    }
}
