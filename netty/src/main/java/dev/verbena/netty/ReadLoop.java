package dev.verbena.netty;

import dev.verbena.stream.ByteStream;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Reads from a stream into buffers of the channel's allocator, by Netty's rules.
@SuppressWarnings({
    "FutureReturnValueIgnored",
    "deprecation"
}) // Netty has no other handle; a close that nothing waits for
final class ReadLoop {
    private final RdmaSocketChannel channel;
    private boolean hasSeenEnd;

    ReadLoop(RdmaSocketChannel channel) {
        this.channel = channel;
    }

    void run(ByteStream from) {
        boolean isShut = channel.isInputShutdown();
        if (isShut && (hasSeenEnd || !channel.config().isAllowHalfClosure())) {
            channel.readDone();
            return;
        }
        ChannelPipeline pipeline = channel.pipeline();
        RecvByteBufAllocator.Handle sizes = channel.unsafe().recvBufAllocHandle();
        sizes.reset(channel.config());
        ByteBuf bytes = null;
        boolean isEnd = false;
        try {
            do {
                bytes = sizes.allocate(channel.alloc());
                int count = read(from, bytes, sizes);
                sizes.lastBytesRead(count);
                if (count <= 0) {
                    bytes.release();
                    bytes = null;
                    isEnd = count < 0;
                    if (isEnd) {
                        channel.readDone();
                    }
                    break;
                }
                sizes.incMessagesRead(1);
                channel.readDone();
                ByteBuf full = bytes;
                bytes = null;
                pipeline.fireChannelRead(full);
            } while (sizes.continueReading());
            sizes.readComplete();
            pipeline.fireChannelReadComplete();
            if (isEnd) {
                end();
            }
        } catch (Throwable failed) {
            fail(failed, bytes, sizes);
        }
    }

    /// Reads the end, when it was not read yet.
    void runToEnd(ByteStream from) {
        if (!hasSeenEnd) {
            run(from);
        }
    }

    private static int read(ByteStream from, ByteBuf into, RecvByteBufAllocator.Handle sizes)
            throws IOException {
        int room = into.writableBytes();
        sizes.attemptedBytesRead(room);
        ByteBuffer memory = into.internalNioBuffer(into.writerIndex(), room);
        int count = from.read(memory);
        if (count > 0) {
            into.writerIndex(into.writerIndex() + count);
        }
        return count;
    }

    private void fail(Throwable cause, @Nullable ByteBuf bytes, RecvByteBufAllocator.Handle sizes) {
        if (bytes != null) {
            bytes.release();
        }
        ChannelPipeline pipeline = channel.pipeline();
        channel.readDone();
        sizes.readComplete();
        pipeline.fireChannelReadComplete();
        pipeline.fireExceptionCaught(cause);
        if (cause instanceof IOException || cause instanceof OutOfMemoryError) {
            // The connection is over in both directions.
            channel.close();
        }
    }

    private void end() {
        ChannelPipeline pipeline = channel.pipeline();
        if (!channel.isInputShutdown()) {
            if (channel.config().isAllowHalfClosure()) {
                channel.endInput();
                pipeline.fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
            } else {
                channel.close();
            }
        } else if (!hasSeenEnd) {
            hasSeenEnd = true;
            pipeline.fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
        }
    }
}
