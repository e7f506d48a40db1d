package dev.verbena.netty;

import dev.verbena.stream.StreamSettings;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapFactory;
import java.net.InetSocketAddress;
import java.util.List;

/// What Netty's suite runs with: one device on an address of loopback, two loops for each side.
/// With `-Dloss=0.02 -Dseed=7` the device drops packets.
final class RdmaPermutation {
    /// An address of loopback that no other test at the same time has.
    static final String HOST = "127.27.%d.1".formatted(ProcessHandle.current().pid() % 250 + 1);

    private static final String LOSS =
            System.getProperty("loss", "0") + "," + Long.getLong("seed", 1);

    static final Device DEVICE = Devices.open("roce://" + HOST + "?loss=" + LOSS);
    static final EventLoopGroup SERVERS = group(2);
    static final EventLoopGroup CLIENTS = group(2);

    private RdmaPermutation() {}

    static EventLoopGroup group(int loops) {
        return new MultiThreadIoEventLoopGroup(
                loops, RdmaIoHandler.newFactory(DEVICE, StreamSettings.DEFAULT));
    }

    static InetSocketAddress address() {
        return new InetSocketAddress(HOST, 0);
    }

    static List<BootstrapFactory<Bootstrap>> clients() {
        return List.of(() -> new Bootstrap().group(CLIENTS).channel(RdmaSocketChannel.class));
    }

    static List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> pairs() {
        return List.of(
                new BootstrapComboFactory<>() {
                    @Override
                    public ServerBootstrap newServerInstance() {
                        return new ServerBootstrap()
                                .group(SERVERS)
                                .channel(RdmaServerSocketChannel.class);
                    }

                    @Override
                    public Bootstrap newClientInstance() {
                        return new Bootstrap().group(CLIENTS).channel(RdmaSocketChannel.class);
                    }
                });
    }
}
