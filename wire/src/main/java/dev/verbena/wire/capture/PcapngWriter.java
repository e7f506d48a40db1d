package dev.verbena.wire.capture;

import dev.verbena.wire.WireException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;

/// Writes a pcapng file: one section, whose interfaces can differ in link type.
///
/// Timestamps are nanoseconds. An interface can be added at any time before its first packet.
public final class PcapngWriter implements CaptureWriter {
    /// The limit of interfaces, the same as for the reader.
    public static final int INTERFACES_MAX = CaptureReader.INTERFACES_MAX;

    private static final int SECTION_BYTES = 28;
    private static final int INTERFACE_BYTES = 32;
    private static final int PACKET_HEADER_BYTES = 28;
    private static final int TRAILER_BYTES = 4;
    private static final int NANOSECONDS = 9;

    private final RecordBuffer buffer;
    private int interfaces;

    private PcapngWriter(RecordBuffer buffer) {
        this.buffer = buffer;
    }

    /// A file without an interface yet; the first that is added has index 0.
    public static PcapngWriter on(WritableByteChannel channel) {
        RecordBuffer buffer = new RecordBuffer(channel);
        MemorySegment segment = buffer.segment();
        int at = buffer.append(SECTION_BYTES);
        openBlock(segment, at, PcapngRecords.SECTION_HEADER, SECTION_BYTES);
        LittleEndian.put32(segment, at + 8, PcapngRecords.BYTE_ORDER_MAGIC);
        LittleEndian.put16(segment, at + 12, PcapngRecords.VERSION_MAJOR);
        LittleEndian.put16(segment, at + 14, 0);
        // All ones: the length of the section is not known when its header is written.
        LittleEndian.put64(segment, at + 16, -1);
        return new PcapngWriter(buffer);
    }

    /// A file whose first interface has the given link type, for a capture that needs no other.
    public static PcapngWriter on(WritableByteChannel channel, LinkType linkType) {
        PcapngWriter writer = on(channel);
        writer.describe(writer.buffer.append(INTERFACE_BYTES), linkType);
        return writer;
    }

    /// Describes a further interface, and says by which index packets name it.
    public int addInterface(LinkType linkType) throws IOException {
        if (interfaces == INTERFACES_MAX) {
            throw new WireException(
                    "one interface more than the limit of " + INTERFACES_MAX + " in a section");
        }
        return describe(buffer.reserve(INTERFACE_BYTES), linkType);
    }

    private int describe(int at, LinkType linkType) {
        MemorySegment segment = buffer.segment();
        openBlock(segment, at, PcapngRecords.INTERFACE_DESCRIPTION, INTERFACE_BYTES);
        LittleEndian.put32(segment, at + 8, linkType.code());
        LittleEndian.put32(segment, at + 12, PACKET_BYTES_MAX);
        LittleEndian.put16(segment, at + 16, PcapngRecords.OPTION_TIMESTAMP_RESOLUTION);
        LittleEndian.put16(segment, at + 18, 1);
        LittleEndian.put32(segment, at + 20, NANOSECONDS);
        LittleEndian.put32(segment, at + 24, PcapngRecords.OPTION_END);
        return interfaces++;
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
        if (interfaceIndex < 0 || interfaceIndex >= interfaces) {
            throw new WireException(
                    "interface %d; %d have been added".formatted(interfaceIndex, interfaces));
        }
        if (timestampNs < 0) {
            throw new WireException("timestamp %d ns is before 1970".formatted(timestampNs));
        }
        int padded = (length + 3) & ~3;
        int block = buffer.reserve(PACKET_HEADER_BYTES + padded + TRAILER_BYTES);
        MemorySegment target = buffer.segment();
        // Clears the padding; the packet then covers all but that of the word.
        LittleEndian.put32(target, block + PACKET_HEADER_BYTES + padded - 4, 0);
        openBlock(
                target,
                block,
                PcapngRecords.ENHANCED_PACKET,
                PACKET_HEADER_BYTES + padded + TRAILER_BYTES);
        LittleEndian.put32(target, block + 8, interfaceIndex);
        LittleEndian.put32(target, block + 12, (int) (timestampNs >>> 32));
        LittleEndian.put32(target, block + 16, (int) timestampNs);
        LittleEndian.put32(target, block + 20, length);
        LittleEndian.put32(target, block + 24, (int) originalLength);
        MemorySegment.copy(segment, at, target, block + PACKET_HEADER_BYTES, length);
    }

    @Override
    public void flush() throws IOException {
        buffer.flush();
    }

    @Override
    public void close() throws IOException {
        buffer.close();
    }

    /// Writes a block's type and both of its lengths.
    private static void openBlock(MemorySegment segment, int at, int type, int length) {
        LittleEndian.put32(segment, at, type);
        LittleEndian.put32(segment, at + 4, length);
        LittleEndian.put32(segment, at + length - TRAILER_BYTES, length);
    }
}
