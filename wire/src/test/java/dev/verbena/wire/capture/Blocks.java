package dev.verbena.wire.capture;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Builds capture files field by field, in either byte order, right or wrong.
final class Blocks {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private ByteOrder order;

    Blocks(ByteOrder order) {
        this.order = order;
    }

    static Blocks little() {
        return new Blocks(ByteOrder.LITTLE_ENDIAN);
    }

    static Blocks big() {
        return new Blocks(ByteOrder.BIG_ENDIAN);
    }

    Blocks order(ByteOrder next) {
        order = next;
        return this;
    }

    int size() {
        return out.size();
    }

    byte[] bytes() {
        return out.toByteArray();
    }

    Blocks u8(int value) {
        out.write(value);
        return this;
    }

    Blocks u16(int value) {
        return raw(buffer(2).putShort((short) value).array());
    }

    Blocks u32(long value) {
        return raw(buffer(4).putInt((int) value).array());
    }

    Blocks i64(long value) {
        return raw(buffer(8).putLong(value).array());
    }

    Blocks raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    Blocks padded(byte[] bytes) {
        return raw(bytes).raw(new byte[-bytes.length & 3]);
    }

    Blocks pcapHeader(int magic, int linkType) {
        return u32(magic).u16(2).u16(4).i64(0).u32(65_535).u32(linkType);
    }

    Blocks pcapRecord(long seconds, long fraction, byte[] packet) {
        return u32(seconds).u32(fraction).u32(packet.length).u32(packet.length).raw(packet);
    }

    Blocks block(int type, byte[] body) {
        return u32(type).u32(body.length + 12).raw(body).u32(body.length + 12);
    }

    Blocks section() {
        return block(PcapngRecords.SECTION_HEADER, sub().u32(0x1A2B3C4D).u16(1).u16(0).i64(-1));
    }

    /// Options are appended to the fixed part as given.
    Blocks describe(int linkType, int snapLength, Blocks options) {
        Blocks body = sub().u16(linkType).u16(0).u32(snapLength).raw(options.bytes());
        return block(PcapngRecords.INTERFACE_DESCRIPTION, body);
    }

    Blocks option(int code, byte[] value) {
        return u16(code).u16(value.length).padded(value);
    }

    Blocks enhanced(int index, long ticks, byte[] packet) {
        Blocks body = sub().u32(index).u32(ticks >>> 32).u32(ticks);
        body.u32(packet.length).u32(packet.length).padded(packet);
        return block(PcapngRecords.ENHANCED_PACKET, body);
    }

    Blocks obsolete(int index, int drops, long ticks, byte[] packet) {
        Blocks body = sub().u16(index).u16(drops).u32(ticks >>> 32).u32(ticks);
        body.u32(packet.length).u32(packet.length).padded(packet);
        return block(PcapngRecords.PACKET_OBSOLETE, body);
    }

    Blocks simple(long originalLength, byte[] packet) {
        return block(PcapngRecords.SIMPLE_PACKET, sub().u32(originalLength).padded(packet));
    }

    /// An empty builder of the same byte order, for a body or options.
    Blocks sub() {
        return new Blocks(order);
    }

    private Blocks block(int type, Blocks body) {
        return block(type, body.bytes());
    }

    private ByteBuffer buffer(int length) {
        return ByteBuffer.allocate(length).order(order);
    }
}
