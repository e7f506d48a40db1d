package dev.verbena.wire.capture;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.WireException;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ReadableByteChannel;

/// Reads the packets of a pcap or pcapng file one after the other, whichever it is.
///
/// Understood are pcap 2.4 with microseconds or nanoseconds, and pcapng 1.0 with any number of
/// sections, both in either byte order. In pcapng, blocks that carry neither packets nor interfaces
/// are skipped.
///
/// ```java
/// try (CaptureReader reader = CaptureReader.open(channel)) {
///     while (reader.next() == CaptureStatus.PACKET) {
///         handle(reader.timestampNs(), reader.segment(), reader.at(), reader.length());
///     }
/// }
/// ```
///
/// A file is untrusted input: any content ends in a [CaptureStatus], and only an exception of the
/// channel is passed on. A problem is final, because the start of the next record is then unknown.
/// Lengths that cannot do harm are reported as they are: a packet may be captured longer than its
/// original length or its interface's snap length.
public final class CaptureReader implements Closeable {
    /// The longest packet that is read, as tcpdump's: the buffer never grows beyond.
    public static final int PACKET_BYTES_MAX = 262_144;

    /// How many interfaces one pcapng section may describe.
    public static final int INTERFACES_MAX = 256;

    private static final int MAGIC_BYTES = 4;

    private final ReadableByteChannel channel;
    private final ByteWindow window;
    private final Records records;
    private CaptureStatus status = CaptureStatus.PACKET;
    private boolean started;

    private CaptureReader(ReadableByteChannel channel, ByteWindow window, Records records) {
        this.channel = channel;
        this.window = window;
        this.records = records;
    }

    /// Reads as far as the magic number; one that is unknown is the first [#next]'s to report.
    ///
    /// The channel is a blocking one, and the reader's from here on.
    public static CaptureReader open(ReadableByteChannel channel) throws IOException {
        ByteWindow window = new ByteWindow(channel);
        return new CaptureReader(channel, window, recognize(window));
    }

    private static Records recognize(ByteWindow window) throws IOException {
        if (!window.has(MAGIC_BYTES)) {
            return new Records.Unreadable(
                    window,
                    CaptureStatus.TRUNCATED,
                    "the file has %d bytes; its magic number alone needs %d"
                            .formatted(window.available(), MAGIC_BYTES));
        }
        int magic = BigEndian.i32(window.segment(), window.start());
        int swapped = Integer.reverseBytes(magic);
        window.bigEndian(
                magic == PcapRecords.MAGIC_MICROSECONDS || magic == PcapRecords.MAGIC_NANOSECONDS);
        if (magic == PcapRecords.MAGIC_MICROSECONDS || swapped == PcapRecords.MAGIC_MICROSECONDS) {
            return new PcapRecords(window, false);
        }
        if (magic == PcapRecords.MAGIC_NANOSECONDS || swapped == PcapRecords.MAGIC_NANOSECONDS) {
            return new PcapRecords(window, true);
        }
        if (magic == PcapngRecords.SECTION_HEADER) {
            return new PcapngRecords(window);
        }
        return new Records.Unreadable(
                window,
                CaptureStatus.BAD_MAGIC,
                "the file starts with 0x%08x, which is the magic number of neither pcap nor pcapng"
                        .formatted(magic));
    }

    /// Goes on to the next packet, and says whether there is one.
    ///
    /// After [CaptureStatus#END] or a problem the answer stays the same.
    public CaptureStatus next() throws IOException {
        if (status == CaptureStatus.PACKET) {
            status = records.next();
            started = true;
        }
        return status;
    }

    /// When the packet was captured, in nanoseconds since 1970; 0 when the file does not say.
    ///
    /// A pcapng interface whose clock is offset can give times before 1970, which are negative.
    public long timestampNs() {
        return current().timestampNs;
    }

    /// Whether the file says when the packet was captured; pcapng's simple packets do not.
    public boolean hasTimestamp() {
        return current().timed;
    }

    public LinkType linkType() {
        return current().linkType;
    }

    /// How long the packet was on the wire, which may be more than was captured.
    public long originalLength() {
        return current().originalLength;
    }

    /// The packet's interface, counted from 0 in its section; always 0 in pcap.
    public int interfaceIndex() {
        return current().interfaceIndex;
    }

    /// The packet's section, counted from 0; always 0 in pcap.
    public int sectionIndex() {
        return current().sectionIndex;
    }

    /// The memory that holds the packet, from [#at] on for [#length] bytes, until the next step.
    public MemorySegment segment() {
        return current().window.segment();
    }

    public long at() {
        return current().window.start();
    }

    public int length() {
        return current().packetLength;
    }

    /// The captured bytes as a slice of their own, valid until the next step.
    public MemorySegment packet() {
        return segment().asSlice(at(), length());
    }

    /// The offset in the file of the record that was read last, or that has the problem.
    public long position() {
        return records.recordAt;
    }

    /// The problem with its offset and numbers; empty when there is none.
    public String problemText() {
        return status.isProblem() ? records.problemText : "";
    }

    /// How large the one buffer has become; never more than [#PACKET_BYTES_MAX].
    int bufferBytes() {
        return window.capacity();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private Records current() {
        if (!started || status != CaptureStatus.PACKET) {
            throw new WireException(
                    "capture reader has no packet: " + (started ? status.reason() : "not started"));
        }
        return records;
    }
}
