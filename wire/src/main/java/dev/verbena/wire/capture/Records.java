package dev.verbena.wire.capture;

import java.io.IOException;

/// The records of one capture format, and the state of the current one.
///
/// While a packet is current, its bytes are the first of the window.
abstract class Records {
    final ByteWindow window;

    long recordAt;
    long timestampNs;
    boolean timed = true;
    LinkType linkType = LinkType.ETHERNET;
    long originalLength;
    int interfaceIndex;
    int sectionIndex;
    int packetLength;
    String problemText = "";

    Records(ByteWindow window) {
        this.window = window;
    }

    /// Goes on to the next packet. Not called again after the end or a problem.
    abstract CaptureStatus next() throws IOException;

    final CaptureStatus problem(CaptureStatus status, String text) {
        problemText = text;
        return status;
    }

    final CaptureStatus truncated(String what, long length) {
        return problem(
                CaptureStatus.TRUNCATED,
                "record at byte %d: the file ends at byte %d, inside its %s of %d bytes"
                        .formatted(recordAt, window.position() + window.available(), what, length));
    }

    final CaptureStatus tooLong(long length) {
        return problem(
                CaptureStatus.PACKET_TOO_LONG,
                "record at byte %d claims %d bytes; the limit is %d"
                        .formatted(recordAt, length, CaptureReader.PACKET_BYTES_MAX));
    }

    /// A file of no known format, which has no records.
    static final class Unreadable extends Records {
        private final CaptureStatus status;

        Unreadable(ByteWindow window, CaptureStatus status, String text) {
            super(window);
            this.status = problem(status, text);
        }

        @Override
        CaptureStatus next() {
            return status;
        }
    }
}
