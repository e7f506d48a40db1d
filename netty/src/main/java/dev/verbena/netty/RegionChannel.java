package dev.verbena.netty;

import dev.verbena.stream.ByteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// A stream as the target of a file region, which takes no more than there is room for.
final class RegionChannel implements WritableByteChannel {
    private final ByteStream to;

    RegionChannel(ByteStream to) {
        this.to = to;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return to.append(from);
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {
        // The stream belongs to the channel.
    }
}
