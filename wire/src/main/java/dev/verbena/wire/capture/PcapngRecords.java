package dev.verbena.wire.capture;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The records of a pcapng file: blocks in sections, each section with its own byte order and
/// interfaces.
///
/// Each step returns whether to continue with the next; when not, `status` has the result. The end
/// of a packet's block (padding, options, trailing length) is checked only after the packet was
/// returned, so that a block's options need no memory.
final class PcapngRecords extends Records {
    static final int SECTION_HEADER = 0x0A0D0D0A;
    static final int INTERFACE_DESCRIPTION = 1;
    static final int PACKET_OBSOLETE = 2;
    static final int SIMPLE_PACKET = 3;
    static final int ENHANCED_PACKET = 6;
    static final int BYTE_ORDER_MAGIC = 0x1A2B3C4D;
    static final int VERSION_MAJOR = 1;
    static final int OPTION_END = 0;
    static final int OPTION_TIMESTAMP_RESOLUTION = 9;
    static final int OPTION_TIMESTAMP_OFFSET = 14;

    /// Type and length before the body, and the length again after it.
    static final int BLOCK_BYTES_MIN = 12;

    private static final int BLOCK_HEADER_BYTES = 8;
    private static final int TRAILER_BYTES = 4;
    private static final int SECTION_FIXED_BYTES = 16;
    private static final int INTERFACE_FIXED_BYTES = 8;
    private static final int SIMPLE_FIXED_BYTES = 4;
    private static final int PACKET_FIXED_BYTES = 20;
    private static final int OPTION_HEADER_BYTES = 4;

    private final List<CaptureInterface> interfaces = new ArrayList<>();
    private CaptureStatus status = CaptureStatus.END;
    private boolean inBlock;
    private long blockLength;

    /// How much of the block's body the window has not passed yet.
    private long bodyLeft;

    PcapngRecords(ByteWindow window) {
        super(window);
        sectionIndex = -1;
    }

    @Override
    CaptureStatus next() throws IOException {
        boolean goOn = true;
        while (goOn) {
            goOn = finishBlock() && openBlock() && readBody();
        }
        return status;
    }

    private boolean finishBlock() throws IOException {
        packetLength = 0;
        if (!inBlock) {
            return true;
        }
        inBlock = false;
        if (!window.skip(bodyLeft) || !window.has(TRAILER_BYTES)) {
            return stop(truncated("block", blockLength));
        }
        long trailer = window.u32(0);
        if (trailer != blockLength) {
            return refuse(
                    CaptureStatus.BLOCK_TRAILER,
                    "claims %d bytes before its body and %d after it",
                    blockLength,
                    trailer);
        }
        window.skip(TRAILER_BYTES);
        return true;
    }

    private boolean openBlock() throws IOException {
        recordAt = window.position();
        if (!window.has(BLOCK_BYTES_MIN)) {
            return stop(
                    window.available() == 0
                            ? CaptureStatus.END
                            : truncated("block", BLOCK_BYTES_MIN));
        }
        // The type of a section header reads the same in both byte orders, so the section header
        // itself must show the order.
        if ((int) window.u32(0) == SECTION_HEADER && !chooseByteOrder()) {
            return false;
        }
        blockLength = window.u32(4);
        if (blockLength < BLOCK_BYTES_MIN || blockLength % 4 != 0) {
            return refuse(
                    CaptureStatus.BLOCK_LENGTH,
                    "claims a length of %d; at least %d and a multiple of 4 is possible",
                    blockLength,
                    BLOCK_BYTES_MIN);
        }
        return true;
    }

    private boolean chooseByteOrder() {
        window.bigEndian(true);
        if ((int) window.u32(8) == BYTE_ORDER_MAGIC) {
            return true;
        }
        window.bigEndian(false);
        long magic = window.u32(8);
        return (int) magic == BYTE_ORDER_MAGIC
                || refuse(
                        CaptureStatus.BYTE_ORDER,
                        "has byte-order magic 0x%x; the known one is 0x%x",
                        magic,
                        BYTE_ORDER_MAGIC);
    }

    private boolean readBody() throws IOException {
        int type = (int) window.u32(0);
        inBlock = true;
        bodyLeft = blockLength - TRAILER_BYTES;
        pass(BLOCK_HEADER_BYTES);
        return switch (type) {
            case SECTION_HEADER -> readSection();
            case INTERFACE_DESCRIPTION -> readInterface();
            case ENHANCED_PACKET -> fixedPart(PACKET_FIXED_BYTES) && readPacket(window.u32(0));
            // The upper half of its first word counts drops.
            case PACKET_OBSOLETE -> fixedPart(PACKET_FIXED_BYTES) && readPacket(window.u16(0));
            case SIMPLE_PACKET -> fixedPart(SIMPLE_FIXED_BYTES) && readSimplePacket();
            default -> true;
        };
    }

    private boolean readSection() throws IOException {
        if (!fixedPart(SECTION_FIXED_BYTES)) {
            return false;
        }
        int major = window.u16(4);
        int minor = window.u16(6);
        // Version 1.2 was written by mistake for a time and means 1.0.
        if (major != VERSION_MAJOR || (minor != 0 && minor != 2)) {
            return refuse(
                    CaptureStatus.BAD_VERSION,
                    "starts a section of version %d.%d; the known one is 1.0",
                    major,
                    minor);
        }
        // The section's length would only help to skip the section; each block has its own length.
        interfaces.clear();
        sectionIndex++;
        return true;
    }

    private boolean readInterface() throws IOException {
        if (!fixedPart(INTERFACE_FIXED_BYTES)) {
            return false;
        }
        if (interfaces.size() == CaptureReader.INTERFACES_MAX) {
            return refuse(
                    CaptureStatus.TOO_MANY_INTERFACES,
                    "describes interface %d; the limit is %d in a section",
                    interfaces.size() + 1,
                    CaptureReader.INTERFACES_MAX);
        }
        LinkType type = new LinkType(window.u16(0));
        long snapLength = window.u32(4);
        pass(INTERFACE_FIXED_BYTES);
        int resolution = CaptureInterface.RESOLUTION_DEFAULT;
        long offsetSeconds = 0;
        boolean more = true;
        while (more && bodyLeft >= OPTION_HEADER_BYTES) {
            if (!openOption()) {
                return false;
            }
            int code = window.u16(0);
            int length = window.u16(2);
            switch (code) {
                case OPTION_END -> more = false;
                case OPTION_TIMESTAMP_RESOLUTION -> resolution = window.u8(4);
                case OPTION_TIMESTAMP_OFFSET -> offsetSeconds = window.i64(4);
                default -> {}
            }
            if (!pass(OPTION_HEADER_BYTES + padded(length))) {
                return stop(truncated("block", blockLength));
            }
        }
        interfaces.add(new CaptureInterface(type, snapLength, resolution, offsetSeconds));
        return true;
    }

    /// Checks the option ahead, and brings the value of one that is understood into the window.
    private boolean openOption() throws IOException {
        if (!window.has(OPTION_HEADER_BYTES)) {
            return stop(truncated("block", blockLength));
        }
        int code = window.u16(0);
        int length = window.u16(2);
        if (OPTION_HEADER_BYTES + padded(length) > bodyLeft) {
            return refuse(
                    CaptureStatus.OPTION_LENGTH,
                    "has an option of %d bytes where %d are left",
                    length,
                    bodyLeft - OPTION_HEADER_BYTES);
        }
        int expected =
                switch (code) {
                    case OPTION_END -> 0;
                    case OPTION_TIMESTAMP_RESOLUTION -> 1;
                    case OPTION_TIMESTAMP_OFFSET -> 8;
                    default -> length;
                };
        if (length != expected) {
            return refuse(
                    CaptureStatus.OPTION_LENGTH,
                    "has option %d with %d bytes; its kind has %d",
                    code,
                    length,
                    expected);
        }
        // No value that is understood is longer than 8 bytes; others need not be in the window.
        return window.has(OPTION_HEADER_BYTES + Math.min(length, 8))
                || stop(truncated("block", blockLength));
    }

    private boolean readPacket(long index) throws IOException {
        long ticks = (window.u32(4) << 32) | window.u32(8);
        long captured = window.u32(12);
        originalLength = window.u32(16);
        pass(PACKET_FIXED_BYTES);
        if (index >= interfaces.size()) {
            return unknownInterface(index);
        }
        timestampNs = interfaces.get((int) index).toNs(ticks);
        timed = true;
        if (timestampNs == CaptureInterface.OUT_OF_RANGE) {
            return refuse(
                    CaptureStatus.TIMESTAMP_RANGE,
                    "has timestamp 0x%x on interface %d, which does not fit 63 bits in nanoseconds",
                    ticks,
                    index);
        }
        return packet((int) index, captured);
    }

    private boolean readSimplePacket() throws IOException {
        originalLength = window.u32(0);
        pass(SIMPLE_FIXED_BYTES);
        if (interfaces.isEmpty()) {
            return unknownInterface(0);
        }
        timestampNs = 0;
        timed = false;
        // The block does not say how much was captured: all, or as much as the interface takes.
        long snapLength = interfaces.getFirst().snapLength();
        return packet(0, snapLength == 0 ? originalLength : Math.min(originalLength, snapLength));
    }

    private boolean packet(int index, long captured) throws IOException {
        if (captured > CaptureReader.PACKET_BYTES_MAX) {
            return stop(tooLong(captured));
        }
        if (captured > bodyLeft) {
            return refuse(
                    CaptureStatus.PACKET_EXCEEDS_BLOCK,
                    "claims a packet of %d bytes where %d are left",
                    captured,
                    bodyLeft);
        }
        if (!window.has((int) captured)) {
            return stop(truncated("packet", captured));
        }
        interfaceIndex = index;
        linkType = interfaces.get(index).linkType();
        packetLength = (int) captured;
        return stop(CaptureStatus.PACKET);
    }

    /// Whether the block has room for its fixed fields and the file has them.
    private boolean fixedPart(int length) throws IOException {
        if (length > bodyLeft) {
            return refuse(
                    CaptureStatus.BLOCK_LENGTH,
                    "claims a length of %d; its fixed fields alone need %d",
                    blockLength,
                    length + BLOCK_BYTES_MIN);
        }
        return window.has(length) || stop(truncated("block", blockLength));
    }

    private boolean pass(int count) throws IOException {
        bodyLeft -= count;
        return window.skip(count);
    }

    private boolean unknownInterface(long index) {
        return refuse(
                CaptureStatus.UNKNOWN_INTERFACE,
                "names interface %d; its section has described %d",
                index,
                interfaces.size());
    }

    private boolean refuse(CaptureStatus problem, String text, long one, long other) {
        return refuse(problem, text.formatted(one, other));
    }

    private boolean refuse(CaptureStatus problem, String text, long one, long other, long another) {
        return refuse(problem, text.formatted(one, other, another));
    }

    private boolean refuse(CaptureStatus problem, String text) {
        return stop(problem(problem, "block at byte " + recordAt + " " + text));
    }

    private boolean stop(CaptureStatus found) {
        status = found;
        return false;
    }

    private static int padded(int length) {
        return (length + 3) & ~3;
    }
}
