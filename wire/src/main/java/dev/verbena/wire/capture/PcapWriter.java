package dev.verbena.wire.capture;

import dev.verbena.wire.WireException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;

/// Writes a pcap file: packets of one link type, the oldest format and the most widely read.
public final class PcapWriter implements CaptureWriter {
    private static final long NS_PER_SECOND = 1_000_000_000;

    /// Seconds are stored in 32 unsigned bits, which last until the year 2106.
    private static final long TIMESTAMP_NS_MAX = (1L << 32) * NS_PER_SECOND - 1;

    private final RecordBuffer buffer;
    private final int nsPerUnit;

    private PcapWriter(RecordBuffer buffer, int nsPerUnit) {
        this.buffer = buffer;
        this.nsPerUnit = nsPerUnit;
    }

    /// A file with nanoseconds, whose packets are never cut.
    public static PcapWriter on(WritableByteChannel channel, LinkType linkType) {
        return on(channel, linkType, TimePrecision.NANOSECONDS, PACKET_BYTES_MAX);
    }

    /// A file with a precision and a snap length of the caller's choice.
    ///
    /// The snap length is only told to readers; no packet is cut by it here.
    public static PcapWriter on(
            WritableByteChannel channel,
            LinkType linkType,
            TimePrecision precision,
            int snapLength) {
        RecordBuffer buffer = new RecordBuffer(channel);
        MemorySegment segment = buffer.segment();
        int at = buffer.append(PcapRecords.FILE_HEADER_BYTES);
        LittleEndian.put32(segment, at, precision.magic());
        LittleEndian.put16(segment, at + 4, PcapRecords.VERSION_MAJOR);
        LittleEndian.put16(segment, at + 6, PcapRecords.VERSION_MINOR);
        // Time zone and accuracy, which are zero in every file.
        LittleEndian.put64(segment, at + 8, 0);
        LittleEndian.put32(segment, at + 16, snapLength);
        LittleEndian.put32(segment, at + 20, linkType.code());
        return new PcapWriter(buffer, precision.nsPerUnit());
    }

    @Override
    public void write(
            int interfaceIndex,
            long timestampNs,
            long originalLength,
            MemorySegment segment,
            long at,
            int length)
            throws IOException {
        RecordBuffer.checkLengths(originalLength, length);
        Objects.checkFromIndexSize(at, length, segment.byteSize());
        if (interfaceIndex != 0) {
            throw new WireException("pcap has interface 0 only, not " + interfaceIndex);
        }
        if (timestampNs < 0 || timestampNs > TIMESTAMP_NS_MAX) {
            throw new WireException(
                    "timestamp %d ns does not fit pcap; the largest is %d"
                            .formatted(timestampNs, TIMESTAMP_NS_MAX));
        }
        int record = buffer.reserve(PcapRecords.RECORD_HEADER_BYTES + length);
        MemorySegment target = buffer.segment();
        LittleEndian.put32(target, record, (int) (timestampNs / NS_PER_SECOND));
        LittleEndian.put32(target, record + 4, (int) (timestampNs % NS_PER_SECOND) / nsPerUnit);
        LittleEndian.put32(target, record + 8, length);
        LittleEndian.put32(target, record + 12, (int) originalLength);
        MemorySegment.copy(segment, at, target, record + PcapRecords.RECORD_HEADER_BYTES, length);
    }

    @Override
    public void flush() throws IOException {
        buffer.flush();
    }

    @Override
    public void close() throws IOException {
        buffer.close();
    }
}
