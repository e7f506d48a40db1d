package dev.verbena.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;

/// Reads into the same buffer again and again, so that reading needs no other. Each message must be
/// released before the next read.
final class OneBuffer implements RecvByteBufAllocator {
    private final ByteBuf buffer;
    private final int bytes;

    OneBuffer(int bytes) {
        this.bytes = bytes;
        buffer = Unpooled.directBuffer(bytes);
    }

    @Override
    @SuppressWarnings("deprecation") // Netty has no other handle
    public Handle newHandle() {
        return new DelegatingHandle(new FixedRecvByteBufAllocator(bytes).newHandle()) {
            @Override
            public ByteBuf allocate(ByteBufAllocator unused) {
                return buffer.retain().clear();
            }
        };
    }
}
