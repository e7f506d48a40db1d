package example.grpc;

import static org.junit.Assert.assertEquals;

import dev.verbena.netty.RdmaIoHandler;
import dev.verbena.netty.RdmaServerSocketChannel;
import dev.verbena.netty.RdmaSocketChannel;
import dev.verbena.stream.StreamSettings;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import io.grpc.ManagedChannelBuilder;
import io.grpc.ServerBuilder;
import io.grpc.netty.InternalNettyChannelBuilder;
import io.grpc.netty.InternalNettyServerBuilder;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.testing.integration.AbstractInteropTest;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.AfterClass;
import org.junit.Assume;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;
import org.junit.runners.model.Statement;

/// The tests that gRPC has for its own transports, over RDMA. The server and the client have a
/// device each, which `-Dserver=…` and `-Dclient=…` name. `-Dleft.out=…` names tests that are not
/// run, for machines that are too slow for their deadlines.
@RunWith(JUnit4.class)
public class InteropTest extends AbstractInteropTest {
    private static final String SERVER = System.getProperty("server", "roce://127.0.83.1");
    private static final String CLIENT = System.getProperty("client", "roce://127.0.83.2");
    private static final Set<String> LEFT_OUT =
            Set.of(System.getProperty("left.out", "none").split(","));
    private static final int FIRST_PORT = 7471;

    private static Device there;
    private static Device here;
    private static EventLoopGroup servers;
    private static EventLoopGroup clients;
    private static InetSocketAddress address;

    @Rule public final TestRule leftOut = InteropTest::unlessLeftOut;

    private static Statement unlessLeftOut(Statement test, Description of) {
        if (!LEFT_OUT.contains(of.getMethodName())) {
            return test;
        }
        return new Statement() {
            @Override
            public void evaluate() {
                System.out.println("left out: " + of.getMethodName());
                Assume.assumeTrue(false);
            }
        };
    }

    @BeforeClass
    public static void open() {
        there = Devices.open(SERVER);
        here = Devices.open(CLIENT);
        servers = group(there);
        clients = group(here);
        address = new InetSocketAddress(there.gids(1).getFirst().toInetAddress(), FIRST_PORT);
    }

    private static EventLoopGroup group(Device device) {
        return new MultiThreadIoEventLoopGroup(
                2, RdmaIoHandler.newFactory(device, StreamSettings.DEFAULT));
    }

    @AfterClass
    public static void close() throws InterruptedException {
        servers.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(30, TimeUnit.SECONDS);
        clients.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(30, TimeUnit.SECONDS);
        long lost = lost(there) + lost(here);
        System.out.printf("from %s to %s: %,d packets lost on purpose%n", CLIENT, SERVER, lost);
        here.close();
        there.close();
        assertEquals(SERVER.contains("loss="), lost > 0);
    }

    private static long lost(Device device) {
        return device.counters().getOrDefault("socket_rx_lost_on_purpose", 0L);
    }

    /// Each test has a port of its own, since the server before it may not be down yet.
    @Override
    protected ServerBuilder<?> getServerBuilder() {
        address = new InetSocketAddress(address.getAddress(), address.getPort() + 1);
        NettyServerBuilder builder =
                NettyServerBuilder.forAddress(address)
                        .channelType(RdmaServerSocketChannel.class)
                        .bossEventLoopGroup(servers)
                        .workerEventLoopGroup(servers)
                        .flowControlWindow(TEST_FLOW_CONTROL_WINDOW)
                        .maxInboundMessageSize(MAX_MESSAGE_SIZE);
        // The tests bring their own recorder of calls.
        InternalNettyServerBuilder.setStatsEnabled(builder, false);
        return builder.addStreamTracerFactory(createCustomCensusTracerFactory());
    }

    @Override
    protected ManagedChannelBuilder<?> createChannelBuilder() {
        NettyChannelBuilder builder =
                NettyChannelBuilder.forAddress(address)
                        .channelType(RdmaSocketChannel.class)
                        .eventLoopGroup(clients)
                        .flowControlWindow(TEST_FLOW_CONTROL_WINDOW)
                        .maxInboundMessageSize(MAX_MESSAGE_SIZE)
                        .usePlaintext();
        InternalNettyChannelBuilder.setStatsEnabled(builder, false);
        return builder.intercept(createCensusStatsClientInterceptor());
    }
}
