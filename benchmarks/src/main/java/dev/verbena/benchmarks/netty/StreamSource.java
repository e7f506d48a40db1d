package dev.verbena.benchmarks.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/// Writes 1 MiB whenever the channel is writable, out of one buffer.
@SuppressWarnings("FutureReturnValueIgnored") // the sink counts what arrives
final class StreamSource extends ChannelInboundHandlerAdapter {
    private static final int BYTES = 1 << 20;

    private final ByteBuf bytes = Unpooled.directBuffer(BYTES).writeZero(BYTES);

    @Override
    public void channelActive(ChannelHandlerContext context) {
        write(context);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        write(context);
    }

    private void write(ChannelHandlerContext context) {
        while (context.channel().isWritable()) {
            context.writeAndFlush(bytes.retainedDuplicate(), context.voidPromise());
        }
    }
}
