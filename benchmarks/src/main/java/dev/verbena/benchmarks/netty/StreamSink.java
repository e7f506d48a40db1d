package dev.verbena.benchmarks.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicLong;

/// Counts the bytes that arrive.
final class StreamSink extends ChannelInboundHandlerAdapter {
    private final AtomicLong count = new AtomicLong();

    long bytes() {
        return count.get();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        count.lazySet(count.get() + bytes.readableBytes());
        bytes.release();
    }
}
