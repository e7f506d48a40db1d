package dev.verbena.wire.capture;

import java.io.IOException;

/// The records of a pcap file: one header, then packets of one link type.
final class PcapRecords extends Records {
    static final int FILE_HEADER_BYTES = 24;
    static final int RECORD_HEADER_BYTES = 16;
    static final int MAGIC_MICROSECONDS = 0xA1B2C3D4;
    static final int MAGIC_NANOSECONDS = 0xA1B23C4D;
    static final int VERSION_MAJOR = 2;
    static final int VERSION_MINOR = 4;

    private static final long NS_PER_SECOND = 1_000_000_000;

    private final int nsPerFraction;
    private boolean opened;

    PcapRecords(ByteWindow window, boolean nanoseconds) {
        super(window);
        nsPerFraction = nanoseconds ? 1 : 1000;
    }

    @Override
    CaptureStatus next() throws IOException {
        if (!opened) {
            CaptureStatus status = open();
            if (status.isProblem()) {
                return status;
            }
            opened = true;
        }
        // The bytes of the packet before are in the window, so this cannot run into the end.
        window.skip(packetLength);
        packetLength = 0;
        recordAt = window.position();
        if (!window.has(RECORD_HEADER_BYTES)) {
            return window.available() == 0
                    ? CaptureStatus.END
                    : truncated("header", RECORD_HEADER_BYTES);
        }
        return record();
    }

    private CaptureStatus open() throws IOException {
        if (!window.has(FILE_HEADER_BYTES)) {
            return truncated("file header", FILE_HEADER_BYTES);
        }
        int major = window.u16(4);
        int minor = window.u16(6);
        if (major != VERSION_MAJOR || minor != VERSION_MINOR) {
            // Before 2.4 the two lengths of a record changed places from writer to writer.
            return problem(
                    CaptureStatus.BAD_VERSION,
                    "pcap version is %d.%d; the known one is %d.%d"
                            .formatted(major, minor, VERSION_MAJOR, VERSION_MINOR));
        }
        // The upper half describes a frame check sequence, and has bits that readers must ignore.
        linkType = new LinkType((int) window.u32(20) & 0xFFFF);
        window.skip(FILE_HEADER_BYTES);
        return CaptureStatus.PACKET;
    }

    private CaptureStatus record() throws IOException {
        // Neither product nor sum can overflow: both factors come from 32 bits.
        timestampNs = window.u32(0) * NS_PER_SECOND + window.u32(4) * nsPerFraction;
        long captured = window.u32(8);
        originalLength = window.u32(12);
        // The header's snap length is not a bound: well-known writers exceed it.
        if (captured > CaptureReader.PACKET_BYTES_MAX) {
            return tooLong(captured);
        }
        window.skip(RECORD_HEADER_BYTES);
        if (!window.has((int) captured)) {
            return truncated("packet", captured);
        }
        packetLength = (int) captured;
        return CaptureStatus.PACKET;
    }
}
