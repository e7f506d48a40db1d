package dev.verbena.benchmarks.netty;

import dev.verbena.netty.RdmaIoHandler;
import dev.verbena.netty.RdmaServerSocketChannel;
import dev.verbena.netty.RdmaSocketChannel;
import dev.verbena.stream.StreamSettings;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/// What a program sets to choose a transport.
enum NettyTransport {
    NIO("Netty NIO, TCP", NioServerSocketChannel.class, NioSocketChannel.class),
    EPOLL("Netty epoll, TCP", EpollServerSocketChannel.class, EpollSocketChannel.class),
    ROCE("Verbena, roce://", RdmaServerSocketChannel.class, RdmaSocketChannel.class),
    LARGE("Verbena, rings of 1 MiB", RdmaServerSocketChannel.class, RdmaSocketChannel.class);

    private static final int LARGE_BYTES = 1 << 20;

    final String label;
    final Class<? extends ServerChannel> serverType;
    final Class<? extends Channel> type;

    NettyTransport(
            String label,
            Class<? extends ServerChannel> serverType,
            Class<? extends Channel> type) {
        this.label = label;
        this.serverType = serverType;
        this.type = type;
    }

    /// A group of one loop, for one end.
    EventLoopGroup group(String address) {
        return new MultiThreadIoEventLoopGroup(1, factory(address));
    }

    private IoHandlerFactory factory(String address) {
        return switch (this) {
            case NIO -> NioIoHandler.newFactory();
            case EPOLL -> EpollIoHandler.newFactory();
            case ROCE -> RdmaIoHandler.newFactory("roce://" + address);
            case LARGE ->
                    RdmaIoHandler.newFactory(
                            "roce://" + address,
                            StreamSettings.DEFAULT
                                    .withSendBytes(LARGE_BYTES)
                                    .withReceiveBytes(LARGE_BYTES));
        };
    }
}
