package dev.verbena.benchmarks;

import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/// A channel without a file: takes all that is written, and gives the same bytes over and over.
final class MemoryChannel implements ByteChannel {
    private final byte[] first;
    private final byte[] repeated;
    private boolean started;
    private int position;

    /// @param first bytes that are read once
    /// @param repeated bytes that are read again and again behind them
    MemoryChannel(byte[] first, byte[] repeated) {
        this.first = first;
        this.repeated = repeated;
    }

    @Override
    public int read(ByteBuffer target) {
        byte[] source = started ? repeated : first;
        int count = Math.min(target.remaining(), source.length - position);
        target.put(source, position, count);
        position += count;
        if (position == source.length) {
            started = true;
            position = 0;
        }
        return count;
    }

    @Override
    public int write(ByteBuffer source) {
        int count = source.remaining();
        source.position(source.limit());
        return count;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
