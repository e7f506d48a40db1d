package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.stream.StreamSettings;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Channels over a path that loses 2 % of the packets in each direction: every byte arrives, and
/// the times in which nothing did are printed. `-Dloss=P`, `-Dseed=…`, `-Dechoes=…` and
/// `-Dmebibytes=…` change the run.
@Timeout(300)
class StallsUnderLossTest {
    private static final String LOSS = System.getProperty("loss", "0.02");
    private static final long SEED = Long.getLong("seed", 1);
    private static final int ECHOES = Integer.getInteger("echoes", 2_000);
    private static final int MEBIBYTES = Integer.getInteger("mebibytes", 16);
    private static final int MESSAGE = 64;
    private static final long LIMIT_S = 240;

    private static Device device(int last) {
        String host = "127.28.%d.%d".formatted(ProcessHandle.current().pid() % 250 + 1, last);
        return Devices.open("roce://%s?loss=%s,%d".formatted(host, LOSS, SEED + last));
    }

    private static EventLoopGroup group(Device device) {
        return new MultiThreadIoEventLoopGroup(
                1, RdmaIoHandler.newFactory(device, StreamSettings.DEFAULT));
    }

    @Test
    void echoesComeBack() throws Exception {
        Echoes echoes = new Echoes();
        run(new Echo(), echoes, echoes.done);
        print("echo of %d B, round trips".formatted(MESSAGE), echoes.times);
    }

    @Test
    void aStreamArrives() throws Exception {
        Reader reader = new Reader();
        run(reader, new Writer(), reader.done);
        print(
                "stream of %d MiB, between reads".formatted(MEBIBYTES),
                Arrays.copyOf(reader.times, reader.reads));
    }

    /// Connects a client to a server, and waits for the end.
    private static void run(ChannelHandler server, ChannelHandler client, CompletableFuture<?> end)
            throws Exception {
        try (Device there = device(1);
                Device here = device(2)) {
            EventLoopGroup servers = group(there);
            EventLoopGroup clients = group(here);
            Channel listening =
                    new ServerBootstrap()
                            .group(servers)
                            .channel(RdmaServerSocketChannel.class)
                            .childHandler(server)
                            .bind(
                                    new InetSocketAddress(
                                            there.gids(1).getFirst().toInetAddress(), 0))
                            .sync()
                            .channel();
            new Bootstrap()
                    .group(clients)
                    .channel(RdmaSocketChannel.class)
                    .handler(client)
                    .connect(listening.localAddress())
                    .sync();
            end.get(LIMIT_S, TimeUnit.SECONDS);
            clients.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
            servers.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
            if (Double.parseDouble(LOSS) > 0) {
                assertThat(lost(there)).isPositive();
                assertThat(lost(here)).isPositive();
            }
        }
    }

    private static long lost(Device device) {
        return device.counters().getOrDefault("socket_rx_lost_on_purpose", 0L);
    }

    private static void print(String what, long[] ns) {
        Arrays.sort(ns);
        System.out.printf(
                "loss %s, seed %d, %s: p50 %.3f ms, p99 %.3f ms, longest %.1f ms of %,d%n",
                LOSS,
                SEED,
                what,
                ns[ns.length / 2] / 1e6,
                ns[(int) (ns.length * 0.99)] / 1e6,
                ns[ns.length - 1] / 1e6,
                ns.length);
    }

    /// Bytes of a stream. All at once: the leak detector notes each call of a buffer.
    private static byte[] content(long from, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (((from + i + SEED) * 0x9E37_79B9L) >>> 13);
        }
        return bytes;
    }

    /// Compares a buffer with a part of a stream, releases it, and returns its length.
    private static int compare(Object buffer, long from) {
        ByteBuf found = (ByteBuf) buffer;
        byte[] bytes = new byte[found.readableBytes()];
        found.readBytes(bytes).release();
        assertThat(bytes).as("bytes from %,d on", from).isEqualTo(content(from, bytes.length));
        return bytes.length;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a void promise has no result
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message, context.voidPromise());
        }
    }

    /// Sends a message when the one before has come back.
    @SuppressWarnings("FutureReturnValueIgnored") // a void promise has no result
    private static final class Echoes extends ChannelInboundHandlerAdapter {
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private final long[] times = new long[ECHOES];
        private long sentNs;
        private int echo;
        private int arrived;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            send(context);
        }

        private void send(ChannelHandlerContext context) {
            byte[] bytes = content((long) echo * MESSAGE, MESSAGE);
            ByteBuf message = context.alloc().buffer(MESSAGE).writeBytes(bytes);
            sentNs = System.nanoTime();
            context.writeAndFlush(message, context.voidPromise());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            arrived += compare(message, (long) echo * MESSAGE + arrived);
            if (arrived == MESSAGE) {
                arrived = 0;
                times[echo++] = System.nanoTime() - sentNs;
                if (echo == ECHOES) {
                    done.complete(null);
                } else {
                    send(context);
                }
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            done.completeExceptionally(cause);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            done.completeExceptionally(new AssertionError("ended after echo " + echo));
        }
    }

    /// Writes whenever there is room, then closes.
    @SuppressWarnings("FutureReturnValueIgnored") // the reader tells the end
    private static final class Writer extends ChannelInboundHandlerAdapter {
        private static final int PIECE = 1 << 13;
        private long written;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            write(context);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            write(context);
        }

        private void write(ChannelHandlerContext context) {
            while (context.channel().isWritable() && written < (long) MEBIBYTES << 20) {
                ByteBuf piece = context.alloc().buffer(PIECE);
                piece.writeBytes(content(written, PIECE));
                written += PIECE;
                ChannelFuture last = context.write(piece);
                if (written == (long) MEBIBYTES << 20) {
                    last.addListener(ChannelFutureListener.CLOSE);
                }
            }
            context.flush();
        }
    }

    /// Compares what arrives, up to the end of the stream.
    private static final class Reader extends ChannelInboundHandlerAdapter {
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private long[] times = new long[1 << 12];
        private int reads;
        private long arrived;
        private long lastNs;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            lastNs = System.nanoTime();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            long nowNs = System.nanoTime();
            if (reads == times.length) {
                times = Arrays.copyOf(times, 2 * reads);
            }
            times[reads++] = nowNs - lastNs;
            lastNs = nowNs;
            arrived += compare(message, arrived);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (arrived == (long) MEBIBYTES << 20) {
                done.complete(null);
            } else {
                done.completeExceptionally(
                        new AssertionError("ended after %,d bytes".formatted(arrived)));
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            done.completeExceptionally(cause);
        }
    }
}
