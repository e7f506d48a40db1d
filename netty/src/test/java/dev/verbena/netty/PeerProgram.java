package dev.verbena.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;

/// A peer in a process of its own, to be killed: connects, echoes, and ends with its input.
final class PeerProgram {
    static final String CONNECTED = "connected";

    private PeerProgram() {}

    /// Takes its own address, and the server's with its port.
    public static void main(String[] arguments) throws IOException {
        EventLoopGroup group =
                new MultiThreadIoEventLoopGroup(
                        1, RdmaIoHandler.newFactory("roce://" + arguments[0]));
        ChannelFuture connect =
                new Bootstrap()
                        .group(group)
                        .channel(RdmaSocketChannel.class)
                        .handler(new EchoHandler())
                        .connect(arguments[1], Integer.parseInt(arguments[2]))
                        .awaitUninterruptibly();
        if (!connect.isSuccess()) {
            System.err.println(connect.cause());
            System.exit(1);
        }
        System.out.println(CONNECTED);
        while (System.in.read() >= 0) {
            // Lives until its parent ends or kills it.
        }
        System.exit(0);
    }
}
