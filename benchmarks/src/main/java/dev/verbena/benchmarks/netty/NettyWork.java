package dev.verbena.benchmarks.netty;

import com.sun.management.OperatingSystemMXBean;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// One measurement in a process of its own: both ends of one subject over one transport.
public final class NettyWork {
    /// The warm-up is over when the JIT compiler has worked less than that in a second: a transport
    /// in Java needs it longer than one in C, and its threads count as processor time.
    private static final long COMPILED_MS = 50;

    private static final int WARM_UP_MAX_S = 12;
    private static final long WARM_UP_MIN_MS = 2000;

    private static final String SERVER = "127.28.1.1";
    private static final String CLIENT = "127.28.1.2";

    private final NettyTransport transport;
    private final NettySubject subject;
    private final long ms;

    private NettyWork(NettyTransport transport, NettySubject subject, long ms) {
        this.transport = transport;
        this.subject = subject;
        this.ms = ms;
    }

    /// Takes the names of transport and subject, and the seconds to measure; prints an object of
    /// JSON with the figures.
    public static void main(String[] arguments) throws Exception {
        NettyWork work =
                new NettyWork(
                        NettyTransport.valueOf(arguments[0]),
                        NettySubject.valueOf(arguments[1]),
                        TimeUnit.SECONDS.toMillis(Long.parseLong(arguments[2])));
        System.out.println(work.run());
        System.exit(0);
    }

    private String run() throws Exception {
        return switch (subject) {
            case LATENCY -> latency();
            case ECHOES -> echoes();
            case STREAM -> stream();
        };
    }

    private String latency() throws Exception {
        EchoClient.Samples samples = new EchoClient.Samples();
        open(EchoServer::new, () -> new EchoClient(samples));
        warmUp();
        samples.begin();
        Thread.sleep(ms);
        return json(
                NettyFigure.MEDIAN,
                samples.percentileUs(50),
                NettyFigure.TAIL,
                samples.percentileUs(99));
    }

    private String echoes() throws Exception {
        EchoClient.Samples samples = new EchoClient.Samples();
        open(EchoServer::new, () -> new EchoClient(samples));
        warmUp();
        long beginNs = System.nanoTime();
        long begin = samples.count();
        Thread.sleep(ms);
        double seconds = (System.nanoTime() - beginNs) / 1e9;
        return json(NettyFigure.ECHOES, (samples.count() - begin) / seconds / 1e3);
    }

    private String stream() throws Exception {
        StreamSink sink = new StreamSink();
        open(() -> sink, StreamSource::new);
        warmUp();
        OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long beginNs = System.nanoTime();
        long beginCpu = system.getProcessCpuTime();
        long begin = sink.bytes();
        Thread.sleep(ms);
        double bytes = sink.bytes() - begin;
        double cpuSeconds = (system.getProcessCpuTime() - beginCpu) / 1e9;
        double ns = System.nanoTime() - beginNs;
        return json(
                NettyFigure.RATE,
                bytes * 8 / ns,
                NettyFigure.PROCESSOR,
                cpuSeconds / (bytes / (1 << 30)));
    }

    private static void warmUp() throws InterruptedException {
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        Thread.sleep(WARM_UP_MIN_MS);
        long before = compiler.getTotalCompilationTime();
        for (int second = 2; second < WARM_UP_MAX_S; second++) {
            Thread.sleep(1000);
            long now = compiler.getTotalCompilationTime();
            if (now - before < COMPILED_MS) {
                return;
            }
            before = now;
        }
    }

    private static String json(Object... keysAndValues) {
        List<String> members = new ArrayList<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            members.add("\"%s\": %s".formatted(keysAndValues[i], keysAndValues[i + 1]));
        }
        return "{" + String.join(", ", members) + "}";
    }

    /// Opens the server and connects all channels to it. A loop for each side.
    private void open(Supplier<ChannelHandler> ofServer, Supplier<ChannelHandler> ofClient) {
        EventLoopGroup servers = transport.group(SERVER);
        EventLoopGroup clients = transport.group(CLIENT);
        Channel server =
                new ServerBootstrap()
                        .group(servers)
                        .channel(transport.serverType)
                        .childHandler(initializer(ofServer))
                        .bind(new InetSocketAddress(SERVER, 0))
                        .syncUninterruptibly()
                        .channel();
        Bootstrap bootstrap =
                new Bootstrap()
                        .group(clients)
                        .channel(transport.type)
                        .handler(initializer(ofClient));
        for (int i = 0; i < subject.connections; i++) {
            bootstrap.connect(server.localAddress()).syncUninterruptibly();
        }
    }

    private static ChannelInitializer<Channel> initializer(Supplier<ChannelHandler> handlers) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(handlers.get());
            }
        };
    }
}
