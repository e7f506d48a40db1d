package dev.verbena.benchmarks.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/// Writes back what it reads, with a flush for each round of reading.
@SuppressWarnings("FutureReturnValueIgnored") // the client waits for the bytes
final class EchoServer extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        context.write(message, context.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }
}
