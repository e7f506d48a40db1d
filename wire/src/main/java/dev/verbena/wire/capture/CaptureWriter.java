package dev.verbena.wire.capture;

import java.io.Closeable;
import java.io.Flushable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Writes packets to a capture file on a channel that the caller opened.
///
/// Packets are gathered in one buffer, taken at the start, and go to the channel when it is full or
/// flushed; writing one allocates nothing. The files are little-endian. A value that the format
/// cannot hold is the caller's mistake and raises a `WireException` before anything is written.
public sealed interface CaptureWriter extends Closeable, Flushable
        permits PcapWriter, PcapngWriter {
    /// The longest packet that can be written, which is also the longest that is read.
    int PACKET_BYTES_MAX = CaptureReader.PACKET_BYTES_MAX;

    /// Writes a packet that was captured whole on the first interface.
    default void write(long timestampNs, MemorySegment segment, long at, int length)
            throws IOException {
        write(0, timestampNs, length, segment, at, length);
    }

    /// Writes `length` captured bytes of a packet that had `originalLength` on the wire.
    void write(
            int interfaceIndex,
            long timestampNs,
            long originalLength,
            MemorySegment segment,
            long at,
            int length)
            throws IOException;

    /// Hands all that was written to the channel.
    @Override
    void flush() throws IOException;

    /// Flushes, and closes the channel.
    @Override
    void close() throws IOException;
}
